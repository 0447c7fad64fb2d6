#!/bin/sh
# Builds longpress at a commit, unless FOLDER has it from the cache: install-longpress.sh REPOSITORY COMMIT FOLDER
set -eu
repository=$1
commit=$2
folder=$3
if [ ! -x "$folder/longpress" ]; then
    source=$(mktemp -d)
    git init -q "$source"
    git -C "$source" fetch -q --depth 1 "$repository" "$commit"
    git -C "$source" checkout -q FETCH_HEAD
    swift build --package-path "$source" -c release --product longpress
    mkdir -p "$folder"
    cp "$source/.build/release/longpress" "$folder/"
    rm -rf "$source"
fi
"$folder/longpress" --version
