"""A model of the merge of two editors' changes, after docs/decisions/0016-git.md: three ways, by item and member.

A set becomes a flat table from paths to values. A change of one side wins. Different changes of both sides are contests.
"""

WHOLE = ("type", "icon", "url", "userInfo", "targetContentIdentifier", "enabled", "replaces", "personal")


def merged(case):
    """The merged set, and the keys of the contests. A contest without a choice has mine."""
    base, mine, theirs = (by_id(case[side]) for side in ("base", "mine", "theirs"))
    contested = []

    def decide(key, old, own, other):
        if own == other or other == old:
            return own
        if own == old:
            return other
        contested.append(key)
        return other if case["choices"].get(key) == "theirs" else own

    items = {}
    for id in {**base, **mine, **theirs}:
        sides = base.get(id), mine.get(id), theirs.get(id)
        if sides[0] and not (sides[1] and sides[2]):
            found = decide(f"{id} removed", *sides)
        elif sides[1] and sides[2]:
            found = merged_item(id, sides, decide)
        else:
            found = sides[1] or sides[2]
        if found:
            items[id] = found
    order = merged_order(list(base), list(mine), list(theirs), decide)
    document = {"items": [items[id] for id in order if id in items]}
    return with_set_members(document, case, decide), contested


def by_id(document):
    return {item["id"]: item for item in document["items"]}


def merged_item(id, sides, decide):
    tables = [flat(side) for side in sides]
    table = {}
    for path in sorted({path for each in tables for path in each}, key=str):
        value = decide(f"{id} {path}", *(each.get(path) for each in tables))
        if value is not None:
            table[path] = value
    item = {"id": id, "title": {}}
    for path, value in table.items():
        name, _, tag = path.partition(".")
        if tag:
            item.setdefault(name, {})[tag] = value
        else:
            item[name] = value
    return item


def flat(item):
    if item is None:
        return {}
    table = {name: item[name] for name in WHOLE if name in item}
    for name in ("title", "subtitle"):
        table.update({f"{name}.{tag}": text for tag, text in item.get(name, {}).items()})
    return table


def merged_order(base, mine, theirs, decide):
    """The order of the side that changed it. Each item that the other side added follows the same item as there, after items that the
    leading side added at that place. Items that were added last stay last."""
    shared = [id for id in base if id in mine and id in theirs]
    own, other = ([id for id in side if id in shared] for side in (mine, theirs))
    chosen = decide("set order", shared, own, other)
    leading, following = (mine, theirs) if chosen == own and own != shared else (theirs, mine)
    order = list(leading)
    trailing = []
    for id in reversed(following):
        if id in leading:
            break
        trailing.insert(0, id)
    previous, inserted = None, set()
    for id in following[:len(following) - len(trailing)]:
        if id not in leading:
            at = 0 if previous is None else order.index(previous) + 1
            while previous not in inserted and at < len(order) and order[at] not in following:
                at += 1
            order.insert(at, id)
            inserted.add(id)
        previous = id
    return order + trailing


def with_set_members(document, case, decide):
    retired = [{entry["id"]: entry for entry in case[side].get("retired", [])} for side in ("base", "mine", "theirs")]
    entries = [decide(f"set retired.{id}", *(side.get(id) for side in retired)) for id in {**retired[0], **retired[1], **retired[2]}]
    if any(entries):
        document["retired"] = [entry for entry in entries if entry]
    fallback = decide("set fallbackURL", *(case[side].get("fallbackURL") for side in ("base", "mine", "theirs")))
    if fallback is not None:
        document["fallbackURL"] = fallback
    return document
