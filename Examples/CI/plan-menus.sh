#!/bin/sh
# Writes comment.md for people and plan.json for `longpress apply`. Fails if an apply would fail.
set -eu
status=0
longpress plan menus --strings App/Localizable.xcstrings --out plan.json --format github > comment.md || status=$?
# 0: nothing changes. 2: something changes. Otherwise comment.md has the errors.
[ "$status" -eq 0 ] || [ "$status" -eq 2 ] || exit "$status"
# The third line counts the conflicts.
if sed -n 3p comment.md | grep -q 'must be decided'; then
    echo "Somebody must decide the conflicts first: see comment.md." >&2
    exit 1
fi
