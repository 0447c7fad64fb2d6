"""Generated clients of openapi.yaml work unchanged: each runs every operation against the program."""

import datetime
import functools
import json
import plistlib

import pytest

import generators
from callers import AttrsCaller, ModelCaller, PydanticCaller
from contract import OPERATIONS, name_of
from journey import travel
from longpress import info_plist

GENERATED = {
    "openapi-python-client": (generators.openapi_python_client, AttrsCaller),
    "openapi-generator": (generators.openapi_generator, PydanticCaller),
    "datamodel-code-generator": (generators.datamodel_code_generator, ModelCaller),
}


def carries(value, document):
    """Whether a client's value has everything that the document has. Most clients do not distinguish null and absent; times are compared as
    instants."""
    match document:
        case dict():
            return isinstance(value, dict) and all(
                name in value and carries(value[name], member) for name, member in document.items() if member is not None)
        case list():
            return isinstance(value, list) and len(value) == len(document) and all(map(carries, value, document))
        case str() if value != document:
            return instant(value) == instant(document)
        case bool() | None:
            return value is document
        case _:
            # A client may read 10 as 10.0.
            return not isinstance(value, bool) and value == document


def instant(text):
    return datetime.datetime.fromisoformat(text)


class Recorder:
    """Calls operations, and checks that every answer has the class that the document names for its status."""

    def __init__(self, caller):
        self.caller = caller
        self.called = set()

    def __call__(self, name, *rest, **parameters):
        refusal = next((part for part in rest if isinstance(part, int)), None)
        body = next((part for part in rest if not isinstance(part, int)), None)
        operation = OPERATIONS[name]
        answer = self.caller.call(operation, body, parameters)
        said = f"{name}: {answer.status} {answer.bytes!r}"
        assert answer.status == refusal if refusal else answer.status < 300, said
        self.called.add(name)
        media = answer.media.split(";")[0]
        if not answer.bytes:
            assert answer.value is None, said
            return None
        if media in ("image/png", "application/octet-stream"):
            return answer.bytes
        if not media.endswith("json"):
            assert answer.value == answer.bytes.decode(), said
            return answer.value
        assert type(answer.value).__name__ == name_of(operation.answer(answer.status)[media]), said
        document = json.loads(answer.bytes)
        assert carries(self.caller.document(answer.value), document), said
        return document


@pytest.fixture(scope="module")
def client(server, tmp_path_factory):
    """A generated client by its generator's name. Each is generated once."""

    @functools.cache
    def generated(name):
        generate, caller = GENERATED[name]
        return caller(generate(tmp_path_factory.mktemp(name)), server)

    return generated


@pytest.mark.parametrize("generator", GENERATED)
def test_a_generated_client_runs_every_operation(client, generator):
    call = Recorder(client(generator))
    travel(call, f"com.example.{generator}")
    assert call.called == set(OPERATIONS)


@pytest.mark.parametrize("format", list(plistlib.PlistFormat))
def test_a_generated_client_sends_an_info_plist_as_it_is(client, app, format):
    plist = plistlib.dumps(info_plist(app, "1.0"), fmt=format)
    release = Recorder(client("openapi-python-client"))("putRelease", plist, app=app, version="1.0")
    assert (release["build"], release["urlSchemes"]) == ("9", ["mail"])
