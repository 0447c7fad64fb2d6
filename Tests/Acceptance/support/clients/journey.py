"""Every operation of openapi.yaml at least once, in an order in which each has something to do."""

import datetime
import uuid

from longpress import eventually

COMPOSE = {
    "id": "compose", "type": "com.example.notes.compose", "title": {"en": "New Note", "ko": "새 메모"},
    "subtitle": {"ko": "빈 메모로 시작"}, "icon": {"symbol": "square.and.pencil", "file": "Compose", "type": "compose"},
    "url": "notes://compose", "targetContentIdentifier": "editor",
    "userInfo": {"folder": "inbox", "due": {"$date": "2026-01-31T09:00:00Z"}, "ratio": 1.5, "tags": ["a", 1, True]}}  # fmt: skip
# The head of a PNG of one pixel.
PNG = bytes.fromhex("89504e470d0a1a0a0000000d494844520000000100000001")
SEARCH = {"id": "search", "type": "com.example.notes.search", "title": {"en": "Search"}, "icon": {"type": 5}, "enabled": False}
RELEASE = {
    "build": "512", "urlSchemes": ["notes"], "assets": {"images": ["Compose"], "symbols": []}, "displayName": "Notes",
    "staticItems": [{"type": "search", "title": "SEARCH", "icon": {"type": "UIApplicationShortcutIconTypeSearch"}}]}  # fmt: skip


def travel(call, app):
    """Makes the calls. `call` takes an operation by its name, with its body and its parameters, and returns the answer as JSON or text."""
    describe(call, app)
    publish(call, app)
    edit(call, app)
    answer(call, app)
    judge(call, app)
    tell(call, app)
    keep(call, app)
    apply(call, app)
    take_away(call, app)


def every(call, operation):
    """The items of all pages. Other tests use the same server, so that one page may not have them."""
    page = call(operation, limit=200)
    items = page["items"]
    while page["next"]:
        page = call(operation, limit=200, cursor=page["next"])
        items += page["items"]
    return items


def describe(call, app):
    call("putApp", {"defaultLanguage": "en", "name": "Memo"}, app=app)
    call("patchApp", {"fallbackURL": "notes://home", "name": None}, app=app)
    assert call("getApp", app=app) == {
        "app": app, "name": None, "defaultLanguage": "en", "fallbackURL": "notes://home", "approvals": 0, "languages": ["en"], "icon": None}
    call("putIcon", PNG, app=app)
    assert call("getIcon", app=app, v="1") == PNG
    call("deleteIcon", app=app)
    assert call("patchApp", {"languages": ["ko", "de"]}, app=app)["languages"] == ["en", "ko", "de"]
    listed = call("listApps", q=app, sort="attention", attention=False)["items"]
    assert [entry["attention"]["drafts"] for entry in listed] == [0]
    assert app in [entry["app"] for entry in every(call, "listApps")]
    assert app in [entry["app"] for entry in call("search", q=app)["items"]]
    call("putRelease", {"staticItems": None}, app=app, version="1.0")
    call("putRelease", RELEASE, app=app, version="2.0")
    assert call("getRelease", app=app, version="2.0+512")["assets"]["images"] == ["Compose"]
    assert len(call("listReleases", app=app)["items"]) == 2
    assert "UIApplicationShortcutItems" in call("getStaticPropertyList", app=app, version="2.0")
    assert "SEARCH" in call("getStaticStrings", app=app, version="2.0", lang="ko")


def publish(call, app):
    call("putSet", {"items": [COMPOSE, SEARCH]}, app=app, version="1.0")
    second = {"items": [{**COMPOSE, "id": "write", "replaces": ["compose"]}], "retired": [{"id": "search", "url": "notes://find"}]}
    call("putSet", {**second, "fallbackURL": "https://notes.example.com/"}, app=app, version="2.0")
    patched = call("patchItem", {"title": {"de": "Neue Notiz"}, "subtitle": None}, app=app, version="2.0", item="write")
    read = call("getSet", app=app, version="2.0")
    assert read["items"][0]["title"]["de"] == "Neue Notiz" and "subtitle" not in read["items"][0]
    assert call("putSet", read, app=app, version="2.0")["revision"] == patched["revision"]
    assert len(call("listSets", app=app, audience="default")["items"]) == 2
    call("putCandidate", {"items": [{**COMPOSE, "id": "write"}]}, app=app, version="2.0", share=10)
    call("patchItem", {"enabled": False}, 409, app=app, version="2.0", item="write")
    assert call("patchCandidate", {"share": 12.5}, app=app, version="2.0")["share"] == 12.5
    assert call("getCandidate", app=app, version="2.0")["share"] == 12.5
    step = {"at": (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=1)).isoformat(), "share": 37.5}
    plan = call("patchCandidate", {"steps": [step], "guard": {"lost": 0.5}}, app=app, version="2.0")
    assert (plan["guard"]["lost"], plan["scheduled"][0]["share"]) == (0.5, 37.5)
    assert call("promoteCandidate", {"at": step["at"]}, app=app, version="2.0")["kind"] == "promote"
    assert call("getRolloutResult", app=app, version="2.0")["summary"] == "Too early to tell"
    call("promoteCandidate", app=app, version="2.0")
    call("putCandidate", read, app=app, version="2.0", share=37.5)
    call("stopCandidate", {"message": "Too loud"}, app=app, version="2.0")
    patched = call("putSet", read, app=app, version="2.0")
    call("putDraft", {"items": [COMPOSE | {"id": "write"}]}, app=app, version="3.0")
    at = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=1)
    until = at + datetime.timedelta(hours=1)
    entry = call("publishDraft", {"at": at.isoformat(), "until": until.isoformat()}, app=app, version="3.0")
    assert [listed["kind"] for listed in call("listSchedule", app=app)["items"]] == ["publish", "delete"]
    assert call("getScheduleEntry", app=app, id=entry["id"])["set"]["items"][0]["id"] == "write"
    call("cancelScheduleEntry", app=app, id=entry["id"])
    assert call("restoreRevision", {"at": at.isoformat()}, app=app, revision=1)["kind"] == "restore"
    call("putDraft", {"items": [COMPOSE | {"id": "write"}]}, app=app, version="3.0")
    call("deleteDraft", app=app, version="3.0")
    call("putDraft", {"items": []}, app=app, version="3.0")
    assert call("listDrafts", app=app)["items"][0]["approvals"] == []
    saved = call("putDraft", {"items": [{"id": "note", "title": {}}]}, app=app, version="3.0", incomplete=True)
    assert {violation["code"] for violation in saved["violations"]} == {"required", "title-missing"}
    call("requestReview", {"state": "requested"}, 422, app=app, version="3.0")
    call("putDraft", {"items": []}, app=app, version="3.0")
    call("requestReview", {"state": "requested", "comment": "Empty on purpose"}, app=app, version="3.0")
    review = call("getReview", app=app, version="3.0")
    assert (review["state"], review["comment"]) == ("requested", "Empty on purpose")
    call("approveDraft", 403, app=app, version="3.0", **{"If-Match": '"draft-of-one\'s-own"'})
    call("withdrawApproval", app=app, version="3.0")
    assert call("getDraft", app=app, version="3.0") == {"items": []}
    published = call("publishDraft", {}, app=app, version="3.0")
    call("getRevision", app=app, revision=published["revision"])
    call("restoreRevision", app=app, revision=1)
    assert len(call("listRevisions", app=app, limit=2)["items"]) == 2
    assert call("diffRevisions", app=app, **{"from": 1, "to": patched["revision"]})["added"] == ["write"]


def edit(call, app):
    tried = call("putSet", {"items": [SEARCH | {"title": {"ko": "찾기"}}]}, app=app, version="3.0", dryRun=True)
    assert tried["violations"][0]["code"] == "title-missing"
    assert call("patchItem", {"enabled": True}, app=app, version="2.0", item="write", dryRun=True)["violations"] == []
    call("patchDraftItem", {"title": {"fr": "Nouvelle note"}}, app=app, version="2.0", item="write")
    call("patchDraft", {"fallbackURL": None}, app=app, version="2.0", dryRun=False)
    told = call("diffDraft", app=app, version="2.0", to="draft")
    assert told["changed"][0]["id"] == "write" and told["set"]["fallbackURL"]["new"] is None
    assert call("putDraft", {"items": []}, app=app, version="2.0", dryRun=True)["violations"] == []
    call("patchDraftItem", {"personal": {"source": "recent", "limit": 2}}, app=app, version="2.0", item="write")
    preview = call("previewMenu", app=app, version="2.0", lang="fr", draft=True)
    assert preview["draft"] is True and preview["answer"]["personal"][0]["limit"] == 2
    link = call("createPreview", {"version": "2.0", "expiresIn": "90m"}, app=app)
    assert link["link"] == f"notes://longpress-preview?id={link['id']}&token={link['token']}"
    shown = call("getPreview", app=app, id=link["id"])
    assert shown["version"] == "2.0.0" and call("listPreviews", app=app)["items"] == [shown]
    call("deletePreview", app=app, id=link["id"])
    call("deleteDraft", app=app, version="2.0")


def answer(call, app):
    menu = call("getShortcuts", app=app, version="1.0", lang="ko", build="7")
    assert menu["items"][0]["localizedTitle"] == "새 메모"
    assert call("getContinuity", app=app, version="2.0")["ids"]["search"]["url"] == "notes://find"
    bundle = call("getBundle", app=app, version="2.0", build="512")
    assert bundle["revision"] == bundle["shortcuts"]["de"]["revision"] and bundle["disabled"]["de"] == []
    everything = call("getBundle", app=app, version="2.0", audience="*")
    assert everything["audiences"] == {} and everything["revision"] == bundle["revision"]
    tap = {"type": menu["items"][0]["type"], "userInfo": menu["items"][0]["userInfo"]}
    resolution = call("resolveTap", tap, app=app, version="2.0")
    assert resolution["outcome"] == "replaced", resolution
    call("resolveTap", tap | {"counted": False}, app=app, version="2.0")
    registered = {"version": "1.0.0+7", "revision": bundle["revision"]}
    report = {
        "batch": str(uuid.uuid4()), "audience": "default",
        "counts": [{"item": "write", "type": tap["type"], "registeredBy": registered, "outcome": "current", "count": 3}]}  # fmt: skip
    for _ in range(2):
        call("reportTaps", report, app=app, version="2.0")
    ranking = call("tapRanking", app=app, since="2026-01-31T09:00:00Z", until="2026-02-28T09:00:00Z")
    assert (ranking["days"], ranking["items"]) == (29, [])
    taps = call("tapStatistics", app=app, since="2026-01-31T09:00:00Z", until="2099-01-31T09:00:00Z", bucket="day", by="audience,revision,day")
    assert taps["outcomes"] == {"replaced": 1, "current": 3} == taps["buckets"][0]["outcomes"]
    assert taps["resolved"] == {"replaced": 1} and taps["reported"] == {"current": 3}
    assert (taps["items"][0]["audience"], taps["items"][0]["revision"]) == ("default", bundle["revision"])
    # The stream of an existing app has no end, and these clients wait for the end.
    assert call("streamChanges", 404, app=[app + ".none"])["type"] == "/problems/unknown-app"
    assert call("followChanges", 404, app=[app + ".none"])["type"] == "/problems/unknown-app"
    assert call("getShortcuts", 404, app=app, version="0.9")["type"] == "/problems/no-shortcut-set"


def judge(call, app):
    simulation = call("simulateUpdate", app=app, audience="default", **{"from": "1.0", "to": "2.0+512"})
    assert [entry["kind"] for entry in simulation["menu"]] == ["static", "dynamic"]
    preview = call("previewMenu", app=app, version="2.0+512", lang="ko", draft=False)
    assert [entry["kind"] for entry in preview["menu"]] == ["static", "dynamic"] and preview["answer"]["language"] == "ko"
    assert call("previewMenu", app=app, version="0.9")["answer"] is None
    found = call("checkRelease", {"version": "3.0", "set": {"items": [COMPOSE | {"title": {"ko": "새 메모"}}]}}, app=app)
    assert found["violations"][0]["code"] == "title-missing"
    refusal = call("putSet", 422, {"items": [COMPOSE | {"title": {"ko": "새 메모"}}]}, app=app, version="4.0")
    assert refusal["violations"] == found["violations"]


def tell(call, app):
    # Nothing listens on port 9.
    creation = {"url": "http://127.0.0.1:9/", "apps": [app], "headers": {"X-Key": "secret"}, "types": ["app.created"]}
    hook = call("createWebhook", creation)["id"]
    assert call("getWebhook", id=hook)["enabled"] is True
    assert hook in [entry["id"] for entry in every(call, "listWebhooks")]
    call("patchWebhook", {"description": "Told of pings", "types": None}, id=hook)
    ping = call("pingWebhook", id=hook)["id"]
    eventually(lambda: call("listDeliveries", id=hook)["items"][0]["attempts"])
    assert call("patchWebhook", {"enabled": False}, id=hook)["disabledReason"] == "operator"
    call("rotateWebhookSecret", {"overlap": "1h"}, id=hook)
    call("patchWebhook", {"enabled": True}, id=hook)
    assert call("getDelivery", id=ping)["payload"]["type"] == "webhook.ping"
    assert call("resendDelivery", id=ping)["id"] == ping
    eventually(lambda: any(attempt.get("manual") for attempt in call("listDeliveries", id=hook)["items"][0]["attempts"]))
    assert call("listDeliveries", id=hook, state="delivered", type="webhook.ping", limit=1)["items"] == []
    assert call("recoverWebhook", {"since": "2026-01-31T09:00:00Z"}, id=hook)["recovered"] >= 0
    assert call("skipHeldDeliveries", id=hook)["skipped"] == 0
    call("deleteWebhook", id=hook)


def keep(call, app):
    name = f"ci of {app}"
    token = call("createToken", {"name": name, "role": "editor", "apps": [app]})
    assert token["id"] in [entry["id"] for entry in every(call, "listTokens")]
    page = {"Sec-Fetch-Site": "same-origin"}
    assert call("getSignIn")["person"] is None
    session = call("createSession", {"token": token["token"]}, **page)
    assert (session["name"], session["role"], session["apps"]) == (name, "editor", [app])
    # These clients send their token, which counts instead of a cookie.
    assert call("getCurrentSession", 404)["type"] == "/problems/unknown-resource"
    assert call("deleteCurrentSession", 404, **page)["type"] == "/problems/unknown-resource"
    call("deleteToken", id=token["id"])
    assert call("listAudit", limit=1)["items"][0]["action"] == "token.revoked"
    export = call("exportStore")
    assert [entry["app"] for entry in call("exportStore", app=[app], history="none")["apps"]] == [app]
    copies = [entry | {"app": app + ".copy"} for entry in export["apps"] if entry["app"] == app]
    copy = {"format": export["format"], "schema": export["schema"], "apps": copies}
    assert call("importStore", copy, dryRun=True)["dryRun"] is True
    assert call("importStore", copy)["apps"][0]["app"] == app + ".copy"
    about = call("getAbout")
    assert about["database"]["migrations"][-1]["number"] == about["database"]["migration"] and about["libraries"]["sqlite"]
    assert [node["changesBehind"] for node in call("listNodes")["items"]] == [0]
    assert call("getStart")["console"] == "/console/" and call("getProblemType", code="unknown-app")["status"] == 404
    assert call("getHealth") == "ok\n" and call("getReadiness") == "ready\n"
    assert "longpress_" in call("getMetrics") and call("getOpenAPI").startswith("openapi: 3.1.0")


def apply(call, app):
    standing = call("getSet", app=app, version="2.0")
    trees = {app: {
        "app": {"defaultLanguage": "en", "name": "Notes"}, "sets": {"2": {**standing, "fallbackURL": None}, "2.0@member": {"items": []}},
        "releases": {"2.0+512": RELEASE}}}  # fmt: skip
    planned = call("applyTrees", {"apps": trees}, dryRun=True)
    assert planned["applied"] is False
    kinds = [(change["kind"], change["action"]) for change in planned["apps"][app]["changes"]]
    assert kinds == [("app", "update"), ("set", "update"), ("set", "create")]
    assert planned["apps"][app]["changes"][1]["difference"]["set"]["fallbackURL"]["new"] is None
    done = call("applyTrees", {"base": {app: planned["apps"][app]["revision"]}, "apps": trees}, prune=False)
    assert done["applied"] is True and done["apps"][app]["revision"] == planned["apps"][app]["revision"] + 2
    merged = call("mergeSets", {"base": {"items": []}, "mine": {"items": [], "fallbackURL": "notes://mine"}, "theirs": {"items": []}})
    assert merged == {"set": {"items": [], "fallbackURL": "notes://mine"}, "conflicts": []}


def take_away(call, app):
    assert "warnings" in call("deleteSet", app=app, version="2.0")
    assert call("deleteRelease", app=app, version="1.0")["shownDifferently"] == []
    call("deleteApp", app=app)
    assert call("getApp", 404, app=app)["type"] == "/problems/unknown-app"
