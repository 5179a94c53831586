"""Who asks, where what one client may have at once is limited: told apart, and not remembered by name."""

from ipaddress import ip_address, ip_network

from django.conf import settings
from django.http import HttpRequest
from django.utils.crypto import salted_hmac


def client_of(request: HttpRequest) -> str:
    """Return a keyed hash of the account, or of the address where nobody is signed in: 64 hexadecimal digits.

    Behind a proxy (PLENUM_BEHIND_PROXY) the address is the last that X-Forwarded-For names: the one that the proxy saw.
    What stands before it the client may have made up. Of IPv6 it is the network of 64 bits: whoever has one address
    has all of them.
    """
    account = getattr(request, "user", None)
    if account is not None and account.is_authenticated:
        return _hashed(f"account:{account.pk}")
    address = request.META.get("REMOTE_ADDR", "")
    if settings.PLENUM_BEHIND_PROXY:
        address = request.headers.get("X-Forwarded-For", address).rpartition(",")[2].strip()
    return _hashed(f"address:{_network_of(address)}")


def _network_of(address: str) -> str:
    try:
        known = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    return str(ip_network((known, 64), strict=False)) if known.version == 6 and not known.ipv4_mapped else str(known)


def _hashed(name: str) -> str:
    return salted_hmac("simulator.client", name, algorithm="sha256").hexdigest()
