"""openapi.yaml as a program reads it: its operations, with their parameters, bodies and answers."""

import dataclasses

import yaml

from longpress import ROOT

PATH = ROOT / "openapi.yaml"
DOCUMENT = yaml.safe_load(PATH.read_text())
METHODS = {"get", "put", "post", "patch", "delete"}


def resolved(node):
    """The target of a reference."""
    while "$ref" in node:
        place = DOCUMENT
        for part in node["$ref"].removeprefix("#/").split("/"):
            place = place[part]
        node = place
    return node


def name_of(schema):
    """The component that a schema refers to."""
    return schema["$ref"].rsplit("/", 1)[1]


@dataclasses.dataclass(frozen=True)
class Operation:
    name: str
    method: str
    path: str
    tag: str
    parameters: tuple
    # : The name of the schema of a JSON body; None without a body.
    request: str | None
    responses: dict

    def answer(self, status):
        """The documented content of the response with a status: media types and their schemas."""
        response = self.responses.get(str(status)) or self.responses["default"]
        return {media: content["schema"] for media, content in resolved(response).get("content", {}).items()}


def operation(method, path, parameters, members):
    bodies = members.get("requestBody", {}).get("content", {})
    body = next((name_of(content["schema"]) for media, content in bodies.items() if media.endswith("json")), None)
    return Operation(
        members["operationId"], method.upper(), path, members["tags"][0],
        tuple(resolved(parameter) for parameter in parameters + members.get("parameters", [])), body,
        members["responses"])


OPERATIONS = {
    members["operationId"]: operation(method, path, item.get("parameters", []), members)
    for path, item in DOCUMENT["paths"].items() for method, members in item.items() if method in METHODS
}
