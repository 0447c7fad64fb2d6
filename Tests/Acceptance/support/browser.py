"""A model of a browser's sessions: it stores the cookie, sends it with each request, and names the page that asks."""

import http.cookies
import json

from longpress import OWNER

OURS = {"Sec-Fetch-Site": "same-origin"}


class Browser:
    def __init__(self, server, host=None):
        """`host`: the server's name as the browser knows it; a loopback address by default."""
        self.server, self.host = server, host or "%s:%d" % server.address
        self.cookies = {}
        self.last_set = None

    @property
    def cookie(self):
        return "; ".join(f"{name}={value}" for name, value in self.cookies.items())

    def ask(self, method, target, document=None, page=OURS, **fields):
        """`page`: what the browser says about the page that sends the request."""
        fields = {"Host": self.host, **page, **{name.replace("_", "-"): value for name, value in fields.items()}}
        if self.cookies:
            fields["Cookie"] = self.cookie
        if document is not None:
            fields["Content-Type"] = "application/json"
        answer = self.server.request(method, "/admin/v1" + target, None if document is None else json.dumps(document), fields)
        self.take(answer.fields.get("set-cookie"))
        return answer

    def take(self, field):
        self.last_set = field
        for name, morsel in http.cookies.SimpleCookie(field or "").items():
            if morsel["max-age"] == "0":
                self.cookies.pop(name, None)
            else:
                self.cookies[name] = morsel.value

    def sign_in(self, token=OWNER, **more):
        return self.ask("POST", "/sessions", {"token": token}, **more)
