#!/bin/sh
set -eu
cd "$CI_PRIMARY_REPOSITORY_PATH"
sh ci/install-longpress.sh "$LONGPRESS_REPOSITORY" "$LONGPRESS_COMMIT" "$CI_DERIVED_DATA_PATH/longpress"
# The menu for the first start without a network.
"$CI_DERIVED_DATA_PATH/longpress/longpress" bundle --app com.example.mail --version "$VERSION" --output App/longpress.json
