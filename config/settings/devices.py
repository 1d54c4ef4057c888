"""Web push and wallet passes: what reaches a guest's device without email."""

from config import env

# Web push is off without a key; `manage.py create_push_key` prints one.
PUSH_PRIVATE_KEY = env.text("PUSH_PRIVATE_KEY", "")
PUSH_CONTACT = env.text("PUSH_CONTACT", "")

# Wallet passes, each off without its settings. The files are PEM; Apple's has the certificate and
# its private key.
APPLE_PASS_TYPE_ID = env.text("APPLE_PASS_TYPE_ID", "")
APPLE_TEAM_ID = env.text("APPLE_TEAM_ID", "")
APPLE_PASS_CERTIFICATE_FILE = env.text("APPLE_PASS_CERTIFICATE_FILE", "")
APPLE_WWDR_CERTIFICATE_FILE = env.text("APPLE_WWDR_CERTIFICATE_FILE", "")
GOOGLE_WALLET_ISSUER_ID = env.text("GOOGLE_WALLET_ISSUER_ID", "")
GOOGLE_WALLET_ACCOUNT = env.text("GOOGLE_WALLET_ACCOUNT", "")
GOOGLE_WALLET_KEY_FILE = env.text("GOOGLE_WALLET_KEY_FILE", "")
