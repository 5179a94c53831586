"""A mail server on a free port of this machine, which keeps what it is sent."""

import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage


@dataclass
class MailServer:
    """`refuses` is how many messages it turns away, with a temporary error, before it takes the first."""

    port: int = 0
    refuses: int = 0
    envelopes: list[tuple[str, list[str]]] = field(default_factory=list)
    messages: list[EmailMessage] = field(default_factory=list)


@contextmanager
def mail_server(*, refuses: int = 0) -> Iterator[MailServer]:
    """Speak as much SMTP (RFC 5321) as a client needs to hand a message over."""
    kept = MailServer(refuses=refuses)

    class Session(socketserver.StreamRequestHandler):
        def say(self, line: str) -> None:
            self.wfile.write(f"{line}\r\n".encode())

        def handle(self) -> None:
            sender, recipients = "", []
            self.say("220 localhost")
            while line := self.rfile.readline():
                words = line.decode().strip()
                match words.partition(" ")[0].partition(":")[0].upper():
                    case "QUIT":
                        self.say("221 bye")
                        return
                    case "MAIL":
                        sender, recipients = words.partition(":")[2].split()[0].strip("<>"), []
                        self.say("250 ok")
                    case "RCPT":
                        recipients.append(words.partition(":")[2].strip().strip("<>"))
                        self.say("250 ok")
                    case "DATA" if kept.refuses:
                        kept.refuses -= 1
                        self.say("451 try later")
                    case "DATA":
                        self.say("354 go on")
                        lines = iter(self.rfile.readline, b".\r\n")
                        data = b"".join(one.removeprefix(b".") if one.startswith(b"..") else one for one in lines)
                        kept.envelopes.append((sender, recipients))
                        kept.messages.append(message_from_bytes(data, policy=policy.default))
                        self.say("250 kept")
                    case _:
                        self.say("250 ok")

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Session) as server:
        kept.port = server.server_address[1]
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        thread.start()
        try:
            yield kept
        finally:
            server.shutdown()
            thread.join()
