"""Certificates for servers on loopback."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest


def write_certificate(folder: Path, names: tuple[str, ...], days: int) -> Path:
    """Writes a certificate that nobody has signed, for these names, with its key. It is valid for this many days from now."""
    x509 = pytest.importorskip("cryptography.x509", reason="cryptography is needed to make certificates")
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, names[0])])
    now = datetime.now(UTC)
    builder = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
    builder = builder.not_valid_before(now - timedelta(days=60)).not_valid_after(now + timedelta(days=days))
    builder = builder.add_extension(x509.SubjectAlternativeName([x509.DNSName(name) for name in names]), critical=False)
    path = folder / "server.pem"
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path.write_bytes(secret + builder.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM))
    return path
