#!/usr/bin/env python3
"""What makes openapi.yaml fit for code generators and for people; check_openapi.py FILE says what does not hold and where.

The document is valid OpenAPI 3.1, and beyond that: every body is a named schema, every schema, property, parameter and header
has a description, a page says what it is of, parameters of a path come first, merge patches have no defaults (generated
clients would send them), and every example fits its schema."""

import sys

import jsonschema
import yaml
from openapi_spec_validator import OpenAPIV31SpecValidator

METHODS = {"get", "put", "post", "patch", "delete"}


class Checker:
    def __init__(self, document):
        self.document = document
        self.findings = []

    def say(self, place, finding):
        self.findings.append(f"{place}: {finding}")

    def resolved(self, node):
        while "$ref" in node:
            place = self.document
            for part in node["$ref"].removeprefix("#/").split("/"):
                place = place[part]
            node = place
        return node

    def check(self):
        """What breaks the rules that are ours; each says its place."""
        components = self.document["components"]
        for name, schema in components["schemas"].items():
            self.check_schema(name, schema)
        for kind in ("parameters", "headers"):
            for name, entry in components[kind].items():
                self.check_described(f"{kind}/{name}", entry)
        for name, response in components["responses"].items():
            self.check_content(f"responses/{name}", response)
        for group in ("paths", "webhooks"):
            for path, item in self.document[group].items():
                for method in METHODS & item.keys():
                    self.check_operation(f"{method.upper()} {path}", item.get("parameters", []), item[method])
        return self.findings

    def check_operation(self, place, shared, operation):
        known = {tag["name"] for tag in self.document["tags"]}
        for tag in set(operation.get("tags", [])) - known or ([] if operation.get("tags") else ["none"]):
            self.say(place, f"the tag {tag} is not among tags")
        for member in {"operationId", "summary"} - operation.keys():
            self.say(place, f"{member} is missing")
        parameters = [self.resolved(parameter) for parameter in shared + operation.get("parameters", [])]
        for parameter in parameters:
            self.check_described(f"{place}, {parameter['name']}", parameter)
        order = [parameter["in"] != "path" for parameter in parameters]
        if order != sorted(order):
            self.say(place, "a parameter of the path comes after another one")
        if body := operation.get("requestBody"):
            self.check_content(place, body)
            schemas = [str(content["schema"]) for content in body["content"].values()]
            if len(set(schemas)) < len(schemas):
                self.say(place, "two media types have one schema, of which openapi-python-client makes what cannot be imported")
        for status, response in operation["responses"].items():
            self.check_content(f"{place}, {status}", self.resolved(response))

    def check_content(self, place, body):
        for name, header in body.get("headers", {}).items():
            self.check_described(f"{place}, {name}", self.resolved(header))
        for media, content in body.get("content", {}).items():
            schema = content["schema"]
            if "$ref" not in schema and (media.endswith("json") or schema.get("type") != "string"):
                self.say(f"{place}, {media}", "the schema has no name: make it a component")
            self.check_described(f"{place}, {media}", self.resolved(schema))

    def check_schema(self, name, schema):
        self.check_described(name, schema)
        for example in schema.get("examples", []):
            whole = {**schema, "components": self.document["components"]}
            for error in jsonschema.Draft202012Validator(whole).iter_errors(example):
                self.say(f"{name}, example", error.message)
        for member, part in schema.get("properties", {}).items():
            place = f"{name}.{member}"
            self.check_described(place, self.resolved(part) if part.keys() == {"$ref"} else part)
            self.check_nested(place, part)
            if name.endswith("Patch") and "default" in part:
                self.say(place, "a patch has a default, which generated clients send")
        for key in ("items", "additionalProperties"):
            if isinstance(part := schema.get(key), dict):
                self.check_nested(f"{name}, {key}", part)
        if name.endswith("Page") and "$ref" not in schema["properties"]["items"]["items"]:
            self.say(name, "its items have no named schema")

    def check_nested(self, place, schema):
        """Objects and enumerations inside others get names that no one chose."""
        for part in [schema, schema.get("items"), *schema.get("oneOf", []), *schema.get("anyOf", [])]:
            if isinstance(part, dict) and ("properties" in part or "additionalProperties" in part or "enum" in part):
                self.say(place, "an object or an enumeration has no name: make it a component")

    def check_described(self, place, node):
        if not node.get("description"):
            self.say(place, "the description is missing")


def main(path):
    with open(path, encoding="utf-8") as file:
        document = yaml.safe_load(file)
    errors = OpenAPIV31SpecValidator(document).iter_errors()
    invalid = ["/".join(map(str, error.absolute_path)) + ": " + error.message for error in errors]
    findings = invalid or Checker(document).check()
    for finding in findings:
        print(f"{path}: {finding}", file=sys.stderr)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
