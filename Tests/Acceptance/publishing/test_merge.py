"""Two changes of one set, merged by the service: compared with a model."""

import random

import pytest

from merge_cases import conflict
from merge_model import merged


@pytest.mark.parametrize("seed", range(5))
def test_random_changes_are_merged_as_the_model_says(server, seed):
    """A hundred merges for each seed."""
    chance = random.Random(seed)
    for case in (conflict(chance) for _ in range(100)):
        answer = server.admin("POST", "/merge", case)
        expected, keys = merged(case)
        assert answer.status == 200, answer.body
        assert sorted(each["key"] for each in answer.json["conflicts"]) == sorted(keys), case
        assert answer.json["set"] == expected, case


def test_bad_requests_say_what_to_do(server):
    def errors(document):
        answer = server.admin("POST", "/merge", document)
        assert answer.status == 422
        return {each["path"]: each["message"] for each in answer.json["violations"]}

    assert errors([]) == {"": "The document is an array, but must be an object."}
    assert errors({"base": "x", "mine": {"items": [{}]}, "choices": {"a url": "ours"}}) == {
        "base": "base is a string, but must be a set.",
        "mine.items[0].id": "mine.items[0].id is missing, or not a string. Add it.",
        'choices["a url"]': 'choices["a url"] must be "mine" or "theirs".',
    }
    many = {"items": [{"id": f"i{number}"} for number in range(21)]}
    assert "may have at most 20" in errors({"theirs": many})["theirs.items"]
    assert server.admin("POST", "/merge", {}).json == {"set": {"items": []}, "conflicts": []}
