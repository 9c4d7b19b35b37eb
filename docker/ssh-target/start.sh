#!/bin/sh
# Lets in the key of SSH_AUTHORIZED_KEY, and nobody without one.
set -eu
if [ -z "${SSH_AUTHORIZED_KEY:-}" ]; then
    echo "Set SSH_AUTHORIZED_KEY to the public key that benchlab shows for its key." >&2
    exit 1
fi
printf '%s\n' "$SSH_AUTHORIZED_KEY" > /root/.ssh/authorized_keys
chmod 600 /root/.ssh/authorized_keys
# Kept in the volume: a container made anew must not look like another machine to benchlab.
for kind in ed25519 ecdsa rsa; do
    key=/etc/ssh/kept/ssh_host_${kind}_key
    [ -s "$key" ] || ssh-keygen -q -t "$kind" -N "" -f "$key"
    ln -sf "$key" "$key.pub" /etc/ssh/
done
exec /usr/sbin/sshd -D -e -o PasswordAuthentication=no -o PermitRootLogin=prohibit-password
