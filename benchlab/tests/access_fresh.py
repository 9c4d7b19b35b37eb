"""What needs a fresh login, beside the rights of benchlab.tests.access."""

from __future__ import annotations

# Pages whose POST needs a fresh login, from whom the role lets in.
FRESH_PAGES = (
    "token_list",
    "user_add",
    "user_edit",
    "sign_on_join",
    "sign_on_leave",
    "totp_add",
    "passkey_add",
    "recovery_codes_renew",
    "logins_end_others",
    "user_logins_end",
    "user_second_factor_reset",
    "team_delete",
    "host_edit",
    "host_key",
    "host_key_scan",
    "host_batch_keys",
    "host_batch_deploy_key",
    "key_delete",
    "host_authority_delete",
    "disk_enrol",
    "disks_enrol_list",
    "acceptance_new",
    "run_abandon",
    "run_delete",
    "run_release",
    "run_approval",
    "approval_policy_add",
    "approval_policy_edit",
    "approval_policy_delete",
)
# Methods of the API that need a token that may wipe, or a session with a fresh login.
FRESH_API = (
    ("v1:tokens-list", "post"),
    ("v1:hosts-accept-key", "post"),
    ("v1:hosts-accept-keys", "post"),
    ("v1:hosts-scan-key", "post"),
    ("v1:hosts-bulk", "post"),
    ("v1:disks-enrol", "post"),
    ("v1:disks-enrol-list", "post"),
    ("v1:acceptances-list", "post"),
    ("v1:runs-abandon", "post"),
    ("v1:runs-detail", "delete"),
    ("v1:runs-release", "post"),
    ("v1:runs-approval", "post"),
    ("v1:approval-policies-list", "post"),
    ("v1:approval-policies-detail", "patch"),
    ("v1:approval-policies-detail", "delete"),
)
