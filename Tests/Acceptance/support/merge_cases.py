"""Random sets, and random edits of them by two editors."""

import copy

TAGS = ("en", "ko", "pt-BR")


def conflict(chance):
    base = {"items": [item(chance, id) for id in chance.sample("abcdefg", chance.randint(0, 5))]}
    if chance.random() < 0.5:
        base["retired"] = [{"id": id} for id in chance.sample("rst", chance.randint(1, 2))]
    mine, theirs = edited(chance, base), edited(chance, base)
    ids = {found["id"] for side in (mine, theirs, base) for found in side["items"]}
    keys = [f"{id} {member}" for id in ids for member in ("removed", "type", "url", "userInfo", "enabled", *(f"title.{tag}" for tag in TAGS))]
    keys += ["set order", "set fallbackURL", *(f"set retired.{id}" for id in "rst")]
    return {"base": base, "mine": mine, "theirs": theirs, "choices": {key: chance.choice(("mine", "theirs")) for key in keys if chance.random() < 0.7}}


def item(chance, id):
    made = {"id": id, "type": chance.choice("xy"), "title": {"en": text(chance)}}
    if chance.random() < 0.5:
        made["url"] = f"mail://{chance.randint(1, 3)}"
    if chance.random() < 0.3:
        made["userInfo"] = {"n": chance.randint(1, 3)}
    return made


def text(chance):
    return chance.choice(("one", "two", "three", "<img src=x onerror=alert(1)>", "\u202etfel"))


def edited(chance, base):
    document = copy.deepcopy(base)
    for _ in range(chance.randint(0, 5)):
        chance.choice((change_text, change_text, change_member, remove, add, move, retire, fall_back))(chance, document)
    return document


def change_text(chance, document):
    if not document["items"]:
        return
    found = chance.choice(document["items"])
    name = chance.choice(("title", "title", "subtitle"))
    texts = found.setdefault(name, {})
    tag = chance.choice(TAGS)
    if tag in texts and chance.random() < 0.3:
        del texts[tag]
    else:
        texts[tag] = text(chance)
    if name == "subtitle" and not texts:
        del found["subtitle"]


def change_member(chance, document):
    if not document["items"]:
        return
    found = chance.choice(document["items"])
    name, value = chance.choice((("type", "z"), ("url", "mail://new"), ("url", None), ("enabled", False), ("userInfo", {"n": 9}), ("replaces", ["q"])))
    if value is None:
        found.pop(name, None)
    else:
        found[name] = value


def remove(chance, document):
    if document["items"]:
        document["items"].remove(chance.choice(document["items"]))


def add(chance, document):
    free = [id for id in "hijkl" if id not in {found["id"] for found in document["items"]}]
    document["items"].insert(chance.choice((len(document["items"]), chance.randint(0, len(document["items"])))), item(chance, chance.choice(free)))


def move(chance, document):
    chance.shuffle(document["items"])


def retire(chance, document):
    entries = [entry for entry in document.get("retired", []) if chance.random() < 0.7]
    if chance.random() < 0.7 and "t" not in {entry["id"] for entry in entries}:
        entries.append({"id": "t", "url": f"mail://{chance.randint(1, 2)}"})
    document.pop("retired", None)
    if entries:
        document["retired"] = entries


def fall_back(chance, document):
    document["fallbackURL"] = f"mail://home{chance.randint(1, 2)}"
