"""URLs of hosts, disks, pools and groups."""

from __future__ import annotations

from django.urls import path

from apps.inventory import views

urlpatterns = [
    path("hosts/", views.host_list, name="host_list"),
    path("hosts/add/", views.host_add, name="host_add"),
    path("hosts/add-many/", views.host_add_many, name="host_add_many"),
    path("hosts/export/", views.host_export, name="host_export"),
    path("host-batches/<int:pk>/", views.host_batch, name="host_batch"),
    path("host-batches/<int:pk>/checks/", views.host_batch_checks, name="host_batch_checks"),
    path("host-batches/<int:pk>/check/", views.host_batch_check_all, name="host_batch_check"),
    path("host-batches/<int:pk>/keys/", views.host_batch_keys, name="host_batch_keys"),
    path(
        "host-batches/<int:pk>/deploy-key/",
        views.host_batch_deploy_key,
        name="host_batch_deploy_key",
    ),
    path(
        "host-authorities/<int:pk>/delete/",
        views.host_authority_delete_page,
        name="host_authority_delete",
    ),
    path("hosts/<int:pk>/", views.host_detail, name="host_detail"),
    path("hosts/<int:pk>/body/", views.host_body, name="host_body"),
    path("hosts/<int:pk>/edit/", views.host_edit, name="host_edit"),
    path("hosts/<int:pk>/check/", views.host_check, name="host_check"),
    path("hosts/<int:pk>/cluster/", views.host_cluster, name="host_cluster"),
    path(
        "hosts/<int:pk>/restore-settings/",
        views.host_restore_settings,
        name="host_restore_settings",
    ),
    path("hosts/<int:pk>/key/", views.host_key, name="host_key"),
    path("hosts/<int:pk>/key/scan/", views.host_key_scan, name="host_key_scan"),
    path("hosts/<int:pk>/install/", views.host_install, name="host_install"),
    path("hosts/<int:pk>/hold/", views.host_hold_page, name="host_hold"),
    path("hosts/<int:pk>/release/", views.host_release_page, name="host_release"),
    path("hosts/<int:pk>/enabled/", views.host_enabled, name="host_enabled"),
    path("hosts/<int:pk>/directories/add/", views.directory_add, name="directory_add"),
    path("ssh-keys/", views.key_list, name="key_list"),
    path("ssh-keys/<int:pk>/delete/", views.key_delete_page, name="key_delete"),
    path("directories/<int:pk>/delete/", views.directory_delete_page, name="directory_delete"),
    path("disks/", views.disk_list, name="disk_list"),
    path("disks/bulk-edit/", views.disks_bulk_edit, name="disks_bulk_edit"),
    path("disks/enrol-list/", views.disks_enrol_list, name="disks_enrol_list"),
    path("disk-models/", views.disk_model_list, name="disk_model_list"),
    path("disk-models/<int:pk>/edit/", views.disk_model_edit, name="disk_model_edit"),
    path("disk-catalogue/", views.catalogue_list, name="catalogue_list"),
    path("disk-catalogue/add/", views.catalogue_edit, name="catalogue_add"),
    path("disk-catalogue/import/", views.catalogue_import_page, name="catalogue_import"),
    path("disk-catalogue/export/", views.catalogue_export, name="catalogue_export"),
    path("disk-catalogue/examples/", views.catalogue_examples, name="catalogue_examples"),
    path("disk-catalogue/<int:pk>/edit/", views.catalogue_edit, name="catalogue_edit"),
    path("disk-catalogue/<int:pk>/delete/", views.catalogue_delete, name="catalogue_delete"),
    path("disks/<int:pk>/", views.disk_detail, name="disk_detail"),
    path("disks/<int:pk>/enrol/", views.disk_enrol_page, name="disk_enrol"),
    path("disks/<int:pk>/array/", views.disk_backing, name="disk_backing"),
    path("disks/<int:pk>/specification/", views.disk_specification, name="disk_specification"),
    path(
        "disks/<int:pk>/distinct-device/", views.disk_distinct_device, name="disk_distinct_device"
    ),
    path("disks/<int:pk>/withdraw/", views.disk_withdraw_page, name="disk_withdraw"),
    path("pools/", views.pool_list, name="pool_list"),
    path("pools/add/", views.pool_edit, name="pool_add"),
    path("pools/<int:pk>/edit/", views.pool_edit, name="pool_edit"),
    path("pools/<int:pk>/delete/", views.pool_delete_page, name="pool_delete"),
    path("durability/", views.durability_page, name="durability"),
    path("groups/", views.group_list, name="group_list"),
    path("groups/add/", views.group_edit, name="group_add"),
    path("groups/<int:pk>/edit/", views.group_edit, name="group_edit"),
    path("groups/<int:pk>/delete/", views.group_delete_page, name="group_delete"),
]
