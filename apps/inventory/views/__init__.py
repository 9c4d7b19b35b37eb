"""Pages of hosts and targets, one module each."""

from apps.inventory.views.catalogue import (
    catalogue_delete,
    catalogue_edit,
    catalogue_examples,
    catalogue_export,
    catalogue_import_page,
    catalogue_list,
)
from apps.inventory.views.directories import directory_add, directory_delete_page
from apps.inventory.views.disk_list import disk_list, disks_bulk_edit
from apps.inventory.views.disk_lists import disks_enrol_list
from apps.inventory.views.disk_models import disk_model_edit, disk_model_list
from apps.inventory.views.disks import (
    disk_backing,
    disk_detail,
    disk_distinct_device,
    disk_enrol_page,
    disk_specification,
    disk_withdraw_page,
)
from apps.inventory.views.durability import durability_page
from apps.inventory.views.groups import group_delete_page, group_edit, group_list
from apps.inventory.views.host_actions import (
    host_check,
    host_cluster,
    host_enabled,
    host_hold_page,
    host_install,
    host_key,
    host_key_scan,
    host_release_page,
    host_restore_settings,
)
from apps.inventory.views.host_batches import (
    host_batch,
    host_batch_check_all,
    host_batch_checks,
    host_batch_deploy_key,
    host_batch_keys,
)
from apps.inventory.views.host_lists import host_add_many, host_export
from apps.inventory.views.hosts import host_add, host_body, host_detail, host_edit, host_list
from apps.inventory.views.keys import host_authority_delete_page, key_delete_page, key_list
from apps.inventory.views.pools import pool_delete_page, pool_edit, pool_list

__all__ = [
    "catalogue_delete",
    "catalogue_edit",
    "catalogue_examples",
    "catalogue_export",
    "catalogue_import_page",
    "catalogue_list",
    "directory_add",
    "directory_delete_page",
    "disk_backing",
    "disk_detail",
    "disk_distinct_device",
    "disk_enrol_page",
    "disk_list",
    "disk_model_edit",
    "disk_model_list",
    "disk_specification",
    "disk_withdraw_page",
    "disks_bulk_edit",
    "disks_enrol_list",
    "durability_page",
    "group_delete_page",
    "group_edit",
    "group_list",
    "host_add",
    "host_add_many",
    "host_authority_delete_page",
    "host_batch",
    "host_batch_check_all",
    "host_batch_checks",
    "host_batch_deploy_key",
    "host_batch_keys",
    "host_body",
    "host_check",
    "host_cluster",
    "host_detail",
    "host_edit",
    "host_enabled",
    "host_export",
    "host_hold_page",
    "host_install",
    "host_key",
    "host_key_scan",
    "host_list",
    "host_release_page",
    "host_restore_settings",
    "key_delete_page",
    "key_list",
    "pool_delete_page",
    "pool_edit",
    "pool_list",
]
