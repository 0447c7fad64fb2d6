"""`make check` keeps openapi.yaml fit for tools: for each rule, a document that breaks it."""

import copy
import runpy

import pytest

from contract import DOCUMENT
from longpress import ROOT

pytestmark = pytest.mark.any_engine

Checker = runpy.run_path(str(ROOT / "scripts/check_openapi.py"))["Checker"]


def without_description(document):
    del document["components"]["schemas"]["Menu"]["description"]


def with_an_undescribed_member(document):
    document["components"]["schemas"]["Menu"]["properties"]["more"] = {"type": "string"}


def with_an_inline_answer(document):
    document["paths"]["/admin/v1/apps"]["get"]["responses"]["200"]["content"]["application/json"]["schema"] = {"type": "object"}


def with_an_inline_object(document):
    document["components"]["schemas"]["Menu"]["properties"]["more"] = {"type": "object", "properties": {}, "description": "More."}


def with_a_path_parameter_last(document):
    document["paths"]["/admin/v1/apps/{app}/sets/{version}"]["parameters"].reverse()


def with_an_untyped_page(document):
    document["components"]["schemas"]["AppPage"]["properties"]["items"]["items"] = {"type": "string"}


def with_a_default_in_a_patch(document):
    document["components"]["schemas"]["WebhookPatch"]["properties"]["ordered"]["default"] = False


def with_a_wrong_example(document):
    document["components"]["schemas"]["RevisionNumber"]["examples"] = [0]


def with_two_media_types(document):
    content = document["paths"]["/admin/v1/apps/{app}"]["patch"]["requestBody"]["content"]
    content["application/json"] = content["application/merge-patch+json"]


def with_an_unknown_tag(document):
    document["paths"]["/admin/v1/apps"]["get"]["tags"] = ["app"]


@pytest.mark.parametrize("breaking, said", [
    (without_description, "Menu: the description is missing"), (with_an_undescribed_member, "Menu.more: the description is missing"),
    (with_an_inline_answer, "GET /admin/v1/apps, 200, application/json: the schema has no name"),
    (with_an_inline_object, "Menu.more: an object or an enumeration has no name"),
    (with_a_path_parameter_last, "a parameter of the path comes after another one"),
    (with_an_untyped_page, "AppPage: its items have no named schema"),
    (with_a_default_in_a_patch, "WebhookPatch.ordered: a patch has a default"),
    (with_a_wrong_example, "RevisionNumber, example: 0 is less than the minimum of 1"),
    (with_two_media_types, "PATCH /admin/v1/apps/{app}: two media types have one schema"),
    (with_an_unknown_tag, "the tag app is not among tags"),
])  # fmt: skip
def test_a_document_that_breaks_a_rule_is_told(breaking, said):
    document = copy.deepcopy(DOCUMENT)
    assert Checker(document).check() == []
    breaking(document)
    assert any(said in finding for finding in Checker(document).check())
