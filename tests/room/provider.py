"""A small OpenID Connect provider for tests: discovery, keys, authorization, tokens; it signs in the named user.

It asks nobody for a password. Codes are given once, PKCE and the client's secret are checked, and tokens are signed
with RS256, so that what is tested is what a real service would be.
"""

import base64
import hashlib
import json
import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import RSAKey

CLIENT, SECRET = "catwalk", "a client's secret"


class Provider:
    """A provider whose next user is in `claims`; tokens last `seconds`."""

    def __init__(self) -> None:
        self.claims: dict[str, Any] = {}
        self.seconds = 600
        self.refused: list[str] = []
        self._key = RSAKey.generate_key(2048, {"kid": "one", "use": "sig"})
        self._codes: dict[str, dict[str, str]] = {}
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.address = f"http://127.0.0.1:{self._server.server_port}"

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        provider = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                path, asked = urlsplit(self.path).path, _one(urlsplit(self.path).query)
                if path == "/authorize":
                    self.send_response(302)
                    self.send_header("Location", provider.authorized(asked))
                    self.end_headers()
                elif path == "/.well-known/openid-configuration":
                    self._say(provider.metadata())
                elif path == "/jwks":
                    self._say({"keys": [provider._key.as_dict(private=False)]})
                elif path == "/end":
                    self.send_response(302)
                    self.send_header("Location", asked["post_logout_redirect_uri"])
                    self.end_headers()
                else:
                    self.send_error(404)

            def do_POST(self) -> None:
                asked = _one(self.rfile.read(int(self.headers["Content-Length"])).decode())
                user, _, password = _basic(self.headers.get("Authorization", ""))
                given = provider.token(asked, asked.get("client_id", user), asked.get("client_secret", password))
                self._say(given or {"error": "invalid_grant"}, 200 if given else 400)

            def _say(self, told: dict[str, Any], status: int = 200) -> None:
                body = json.dumps(told).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: Any) -> None:
                """Log nothing."""

        return Handler

    def metadata(self) -> dict[str, Any]:
        """Settings a client has to know."""
        return {
            "issuer": self.address,
            "authorization_endpoint": f"{self.address}/authorize",
            "token_endpoint": f"{self.address}/token",
            "jwks_uri": f"{self.address}/jwks",
            "end_session_endpoint": f"{self.address}/end",
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
            "code_challenge_methods_supported": ["S256"],
        }

    def authorized(self, asked: dict[str, str]) -> str:
        """The browser's next address, with its code."""
        code = secrets.token_urlsafe(16)
        self._codes[code] = asked
        return f"{asked['redirect_uri']}?{urlencode({'code': code, 'state': asked['state']})}"

    def token(self, asked: dict[str, str], client: str, secret: str) -> dict[str, Any] | None:
        """The tokens for a code, or None."""
        wanted = self._codes.pop(asked.get("code", ""), None)
        challenge = hashlib.sha256(asked.get("code_verifier", "").encode()).digest()
        if wanted is None or wanted.get("code_challenge") != _plain(challenge):
            self.refused.append("code or verifier")
            return None
        if (client, secret) != (CLIENT, SECRET):
            self.refused.append("client")
            return None
        now = int(time.time())
        fixed = {"iss": self.address, "aud": CLIENT, "sub": "1", "iat": now, "exp": now + self.seconds}
        claims = fixed | {"nonce": wanted["nonce"]} | self.claims
        return {
            "access_token": secrets.token_urlsafe(16),
            "token_type": "Bearer",
            "expires_in": self.seconds,
            "id_token": jwt.encode({"alg": "RS256", "kid": "one"}, claims, self._key),
        }

    @contextmanager
    def running(self) -> Iterator["Provider"]:
        """Answers as long as it is needed."""
        thread = threading.Thread(target=self._server.serve_forever)
        thread.start()
        try:
            yield self
        finally:
            self._server.shutdown()
            thread.join()
            self._server.server_close()


def _one(query: str) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(query).items()}


def _basic(header: str) -> tuple[str, str, str]:
    told = base64.b64decode(header.removeprefix("Basic ")).decode() if header.startswith("Basic ") else ""
    user, colon, password = told.partition(":")
    return unquote(user), colon, unquote(password)


def _plain(digest: bytes) -> str:
    return base64.urlsafe_b64encode(digest).decode().rstrip("=")
