#!/bin/sh
# Lets in the key of SSH_AUTHORIZED_KEY, and nobody without one.
set -eu
if [ -z "${SSH_AUTHORIZED_KEY:-}" ]; then
    echo "Set SSH_AUTHORIZED_KEY to the public key that benchlab shows for its key." >&2
    exit 1
fi
printf '%s\n' "$SSH_AUTHORIZED_KEY" > /root/.ssh/authorized_keys
chmod 600 /root/.ssh/authorized_keys
ssh-keygen -A
exec /usr/sbin/sshd -D -e -o PasswordAuthentication=no -o PermitRootLogin=prohibit-password
