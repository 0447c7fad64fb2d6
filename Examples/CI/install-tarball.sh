#!/bin/sh
# Installs longpress from a tarball of `make dist`, unless FOLDER has it from the cache: install-tarball.sh URL SHA256 FOLDER
set -eu
url=$1
checksum=$2
folder=$3
if [ ! -x "$folder/longpress" ]; then
    curl -fsSL -o longpress.tar.gz "$url"
    echo "$checksum  longpress.tar.gz" | sha256sum -c --quiet
    mkdir -p "$folder"
    tar -xzf longpress.tar.gz -C "$folder" --strip-components 1
    rm longpress.tar.gz
fi
"$folder/longpress" --version
