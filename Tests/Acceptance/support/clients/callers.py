"""One interface for all generated clients: an operation by its name, a JSON body, and parameters by their names in the document.

Each call returns the status, the received bytes and the value that the client made of them."""

import dataclasses
import importlib
import inspect
import io
import json
import pkgutil

import pydantic

from contract import DOCUMENT, name_of
from longpress import OWNER


@dataclasses.dataclass
class Answer:
    status: int
    media: str
    bytes: bytes
    # : The client's value: one of its classes, a text, or None.
    value: object


def plain(name):
    """A name without the changes that languages make to it: If-Match and if_match, from and from_ and var_from."""
    return name.lower().replace("_", "").replace("-", "").removeprefix("var")


def arguments(function, parameters):
    known = {plain(name): name for name in inspect.signature(function).parameters}
    return {known[plain(name)]: value for name, value in parameters.items()}


class AttrsCaller:
    """openapi-python-client: a module for each operation."""

    def __init__(self, package, server):
        self.models = importlib.import_module(package.__name__ + ".models")
        self.types = importlib.import_module(package.__name__ + ".types")
        api = importlib.import_module(package.__name__ + ".api")
        names = [found.name for found in pkgutil.walk_packages(api.__path__, api.__name__ + ".") if not found.ispkg]
        self.operations = {plain(name.rsplit(".", 1)[1]): importlib.import_module(name) for name in names}
        self.client = package.AuthenticatedClient(base_url="http://%s:%d" % server.address, token=OWNER)

    def call(self, operation, body, parameters):
        function = self.operations[plain(operation.name)].sync_detailed
        values = arguments(function, {name: self.typed(operation, name, value) for name, value in parameters.items()})
        if isinstance(body, bytes):
            values["body"] = self.types.File(payload=io.BytesIO(body))
        elif body is not None:
            values["body"] = self.model(operation.request).from_dict(body)
        answer = function(client=self.client, **values)
        return Answer(answer.status_code, answer.headers.get("content-type", ""), answer.content, answer.parsed)

    def typed(self, operation, name, value):
        """Its enumerations need values of their types."""
        schema = next(parameter["schema"] for parameter in operation.parameters if parameter["name"] == name)
        is_enumeration = "$ref" in schema and "enum" in DOCUMENT["components"]["schemas"][name_of(schema)]
        return self.model(name_of(schema))(value) if is_enumeration else value

    def model(self, name):
        return getattr(self.models, name)

    def document(self, value):
        return value.to_dict()


class PydanticCaller:
    """openapi-generator: a class for each tag; errors are raised."""

    def __init__(self, package, server):
        self.package = package
        configuration = package.Configuration(host="http://%s:%d" % server.address, access_token=OWNER)
        self.client = package.ApiClient(configuration)

    def call(self, operation, body, parameters):
        api = getattr(self.package, operation.tag.capitalize() + "Api")(self.client)
        names = {plain(name): name for name in dir(api)}
        function = getattr(api, names[plain(operation.name + "_with_http_info")])
        values = arguments(function, parameters)
        if isinstance(body, bytes):
            values["body"] = body
        elif body is not None:
            argument = next(name for name in inspect.signature(function).parameters if plain(name) == plain(operation.request))
            model = getattr(self.package, operation.request)
            # from_dict sends null for absent members, which in a patch would remove them.
            values[argument] = model(**body) if operation.method == "PATCH" else model.from_dict(body)
        try:
            answer = function(**values)
        except self.package.ApiException as refusal:
            return Answer(refusal.status, refusal.headers["Content-Type"], refusal.body.encode(), refusal.data)
        return Answer(answer.status_code, answer.headers.get("Content-Type", ""), answer.raw_data, answer.data)

    def document(self, value):
        return json.loads(value.to_json())


class ModelCaller:
    """datamodel-code-generator: bodies and answers are its models; the tests make the requests."""

    def __init__(self, models, server):
        self.models, self.server = models, server

    def call(self, operation, body, parameters):
        target, query, fields = operation.path, [], {"Authorization": "Bearer " + OWNER}
        for parameter in operation.parameters:
            if (value := parameters.get(parameter["name"])) is None:
                continue
            match parameter["in"]:
                case "path":
                    target = target.replace("{%s}" % parameter["name"], str(value))
                case "query":
                    for each in value if isinstance(value, list) else [value]:
                        query.append(f"{parameter['name']}={json.dumps(each).strip(chr(34))}")
                case "header":
                    fields[parameter["name"]] = value
        if isinstance(body, bytes):
            fields["Content-Type"] = "application/octet-stream"
        elif body is not None:
            fields["Content-Type"] = "application/merge-patch+json" if operation.method == "PATCH" else "application/json"
            body = self.model(operation.request).model_validate(body).model_dump_json(by_alias=True, exclude_unset=True)
        answer = self.server.request(operation.method, target + "?" + "&".join(query), body.encode() if isinstance(body, str) else body, fields)
        return Answer(answer.status, answer.fields.get("content-type", ""), answer.body, self.value(operation, answer))

    def value(self, operation, answer):
        media = answer.fields.get("content-type", "").split(";")[0]
        if media in ("image/png", "application/octet-stream"):
            return answer.body
        if not media.endswith("json"):
            return answer.body.decode() or None
        return self.model(name_of(operation.answer(answer.status)[media])).model_validate_json(answer.body)

    def model(self, name):
        model = getattr(self.models, name)
        assert issubclass(model, pydantic.BaseModel)
        return model

    def document(self, value):
        return value.model_dump(mode="json", by_alias=True, exclude_unset=True)
