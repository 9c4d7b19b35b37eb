"""Services for hosts, keys and targets, one module each."""

from apps.inventory.services.archive import host_archive_ensure
from apps.inventory.services.backing_arrays import disk_backing_set
from apps.inventory.services.catalogue import (
    catalogue_entry_delete,
    catalogue_entry_save,
    catalogue_examples_add,
    catalogue_import,
)
from apps.inventory.services.checks import (
    facts_store,
    host_check_failed,
    host_check_request,
    host_check_store,
    host_cleanup_done,
    host_cleanup_pending,
    host_install_store,
    host_restore_settings_request,
    tool_install_request,
)
from apps.inventory.services.clusters import (
    host_cluster_accept,
    host_cluster_disturbances,
    host_cluster_restart,
    host_cluster_set_distinct,
    host_cluster_store,
)
from apps.inventory.services.contents import (
    disk_content_refused,
    disk_content_seen,
    disk_written,
)
from apps.inventory.services.credentials import (
    credential_create,
    credential_delete,
    credential_reencrypt,
)
from apps.inventory.services.directories import (
    directory_create,
    directory_delete,
    directory_update,
)
from apps.inventory.services.disk_lists import disks_enrol_listed
from apps.inventory.services.disks import (
    disk_enrol,
    disk_set_distinct,
    disk_tag,
    disk_withdraw,
    disks_sync,
)
from apps.inventory.services.groups import GroupDraft, group_delete, group_save
from apps.inventory.services.holds import host_faults_record, host_hold, host_release
from apps.inventory.services.host_authorities import (
    host_authorities_add,
    host_authority_delete,
)
from apps.inventory.services.host_batches import host_batch_check, host_batch_create
from apps.inventory.services.host_keys import (
    host_key_accept,
    host_key_certified,
    host_key_offered,
    host_key_scan_request,
    host_key_trust,
)
from apps.inventory.services.hosts import (
    HostDraft,
    NewKey,
    host_create,
    host_enabled_set,
    host_update,
    local_host_ensure,
)
from apps.inventory.services.key_deployment import host_batch_deploy_keys
from apps.inventory.services.listed_keys import ListedKeys, host_keys_accept_listed
from apps.inventory.services.pairs import pair_ensure, pair_fault
from apps.inventory.services.pools import (
    PoolDraft,
    pool_delete,
    pool_draft,
    pool_save,
)
from apps.inventory.services.specifications import disk_model_update, disk_specification_set

__all__ = [
    "GroupDraft",
    "HostDraft",
    "ListedKeys",
    "NewKey",
    "PoolDraft",
    "catalogue_entry_delete",
    "catalogue_entry_save",
    "catalogue_examples_add",
    "catalogue_import",
    "credential_create",
    "credential_delete",
    "credential_reencrypt",
    "directory_create",
    "directory_delete",
    "directory_update",
    "disk_backing_set",
    "disk_content_refused",
    "disk_content_seen",
    "disk_enrol",
    "disk_model_update",
    "disk_set_distinct",
    "disk_specification_set",
    "disk_tag",
    "disk_withdraw",
    "disk_written",
    "disks_enrol_listed",
    "disks_sync",
    "facts_store",
    "group_delete",
    "group_save",
    "host_archive_ensure",
    "host_authorities_add",
    "host_authority_delete",
    "host_batch_check",
    "host_batch_create",
    "host_batch_deploy_keys",
    "host_check_failed",
    "host_check_request",
    "host_check_store",
    "host_cleanup_done",
    "host_cleanup_pending",
    "host_cluster_accept",
    "host_cluster_disturbances",
    "host_cluster_restart",
    "host_cluster_set_distinct",
    "host_cluster_store",
    "host_create",
    "host_enabled_set",
    "host_faults_record",
    "host_hold",
    "host_install_store",
    "host_key_accept",
    "host_key_certified",
    "host_key_offered",
    "host_key_scan_request",
    "host_key_trust",
    "host_keys_accept_listed",
    "host_release",
    "host_restore_settings_request",
    "host_update",
    "local_host_ensure",
    "pair_ensure",
    "pair_fault",
    "pool_delete",
    "pool_draft",
    "pool_save",
    "tool_install_request",
]
