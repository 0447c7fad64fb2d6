#!/bin/sh
set -eu
# Only an archive is shipped.
[ "$CI_XCODEBUILD_ACTION" = archive ] || exit 0
PATH="$CI_DERIVED_DATA_PATH/longpress:$PATH"
app=$(find "$CI_ARCHIVE_PATH/Products/Applications" -maxdepth 1 -name '*.app' | head -n 1)
xcrun assetutil --info "$app/Assets.car" > assets.json
longpress check --app "$CI_BUNDLE_ID" --plist "$app/Info.plist" --assets assets.json --bundled "$app/longpress.json" --strict
longpress release put "$app/Info.plist" --app "$CI_BUNDLE_ID" --assets assets.json
