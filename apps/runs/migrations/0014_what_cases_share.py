"""The rows that the cases of a run share, made from the cases: one statement for each kind of row,
and one that writes every case once.

Within a run, cases on one target say the same of it, since a launch freezes it once. A name that
the first release did not keep is made of the disk or directory as it is called today.
"""

from __future__ import annotations

from django.db import migrations

TARGET_KEY = """
CASE WHEN old.disk_id IS NOT NULL THEN 'disk:' || old.disk_id
     WHEN old.directory_id IS NOT NULL THEN 'directory:' || old.directory_id
     WHEN old.pool_id IS NOT NULL THEN 'pool:' || old.pool_id
     WHEN old.pair_id IS NOT NULL THEN 'pair:' || old.pair_id
     WHEN old.group_id IS NOT NULL THEN 'group:' || old.group_id
     ELSE 'told:' || old.host_id || ':' || old.target_name END
"""
# A tuning whose profile was deleted is known by its name and settings.
TUNING_KEY = """
CASE WHEN old.tuning_id IS NOT NULL THEN 'id:' || old.tuning_id
     ELSE 'told:' || old.tuning_name || ':' || md5(old.tuning_settings::text) END
"""
NUMBER = "row_number() OVER (PARTITION BY run_id ORDER BY first) - 1"

# The first case of each target says what the target is.
FIND_TARGETS = f"""
CREATE TEMPORARY TABLE found_target ON COMMIT DROP AS
SELECT nextval(pg_get_serial_sequence('runs_runtarget', 'id')) AS made, run_id, mark, number,
       split_part(mark, ':', 1) AS kind, split_part(mark, ':', 2)::bigint AS row_id,
       one.host_id, one.target_name, one.members
FROM (SELECT run_id, mark, first, {NUMBER} AS number
      FROM (SELECT run_id, {TARGET_KEY} AS mark, min(position) AS first
            FROM runs_case AS old GROUP BY 1, 2) AS every) AS numbered
JOIN runs_case AS one USING (run_id) WHERE one.position = numbered.first
"""
# Disks, directories, pools, pairs and groups by kind and key, with what stands for their names.
FIND_ROWS = """
CREATE TEMPORARY TABLE found_row ON COMMIT DROP AS
SELECT 'disk' AS kind, disk.id AS row_id, target_id, identity, NULLIF(size, 0) AS size,
       host.name || ': ' || COALESCE(NULLIF(node, ''), identity) AS words,
       COALESCE(NULLIF(regexp_replace(node, '^/dev/', ''), ''), identity) AS label
FROM inventory_disk AS disk JOIN inventory_host AS host ON host.id = disk.host_id
UNION ALL
SELECT 'directory', place.id, target_id, path, NULL, host.name || ': ' || path, path
FROM inventory_directory AS place JOIN inventory_host AS host ON host.id = place.host_id
UNION ALL
SELECT 'pool', pool.id, target_id, pool.name, NULL, host.name || ': pool ' || pool.name, host.name
FROM inventory_pool AS pool JOIN inventory_host AS host ON host.id = pool.host_id
UNION ALL
SELECT 'pair', pair.id, target_id, '', NULL, one.name || ' → ' || other.name, one.name
FROM inventory_hostpair AS pair JOIN inventory_host AS one ON one.id = pair.client_id
JOIN inventory_host AS other ON other.id = pair.server_id
UNION ALL
SELECT 'group', id, target_id, '', NULL, name, name FROM inventory_targetgroup
"""
TARGETS = """
INSERT INTO runs_runtarget (id, run_id, position, target_id, kind, name)
SELECT made, run_id, number, target_id,
       CASE WHEN found_target.kind = 'told' THEN '' ELSE found_target.kind END,
       left(COALESCE(NULLIF(target_name, ''), words, ''), 500)
FROM found_target LEFT JOIN found_row USING (kind, row_id)
"""
# What has several parts said of each what it does.
SEVERAL = """
INSERT INTO runs_member
    (run_target_id, position, role, host_id, host_name, target_id, kind, label, identity, size, make)
SELECT made, place - 1, part ->> 'role', host.id, part ->> 'host_name', found_row.target_id,
       part ->> 'kind', part ->> 'label', part ->> 'identity', (part ->> 'size')::bigint,
       NULLIF(part -> 'make', 'null'::jsonb)
FROM found_target CROSS JOIN LATERAL jsonb_array_elements(members) WITH ORDINALITY AS e (part, place)
JOIN inventory_host AS host ON host.id = (part ->> 'host')::bigint
LEFT JOIN found_row
    ON found_row.kind = part ->> 'kind' AND found_row.row_id = (part ->> 'id')::bigint
WHERE jsonb_array_length(members) > 0
"""
ALONE = """
INSERT INTO runs_member
    (run_target_id, position, role, host_id, host_name, target_id, kind, label, identity, size)
SELECT made, 0, 'client', host.id, host.name, target_id,
       CASE WHEN found_target.kind = 'told' THEN '' ELSE found_target.kind END,
       COALESCE(label, target_name), COALESCE(identity, ''), size
FROM found_target JOIN inventory_host AS host ON host.id = found_target.host_id
LEFT JOIN found_row ON found_row.kind = found_target.kind AND found_row.row_id = found_target.row_id
WHERE jsonb_array_length(members) = 0
"""
FIND_TUNINGS = f"""
CREATE TEMPORARY TABLE found_tuning ON COMMIT DROP AS
SELECT nextval(pg_get_serial_sequence('runs_runtuning', 'id')) AS made, run_id, mark, number,
       one.tuning_id, one.tuning_name, one.tuning_settings, one.settle
FROM (SELECT run_id, mark, first, {NUMBER} AS number
      FROM (SELECT run_id, {TUNING_KEY} AS mark, min(position) AS first
            FROM runs_case AS old GROUP BY 1, 2) AS every) AS numbered
JOIN runs_case AS one USING (run_id) WHERE one.position = numbered.first
"""
TUNINGS = """
INSERT INTO runs_runtuning (id, run_id, position, tuning_id, name, settings, settle)
SELECT made, run_id, number, tuning_id, tuning_name, tuning_settings, settle FROM found_tuning
"""
CASES = f"""
UPDATE runs_case AS old SET run_target_id = t.made, run_tuning_id = u.made
FROM found_target AS t, found_tuning AS u
WHERE t.run_id = old.run_id AND t.mark = {TARGET_KEY}
  AND u.run_id = old.run_id AND u.mark = {TUNING_KEY}
"""
KNOW = "ANALYZE found_target; ANALYZE found_row; ANALYZE found_tuning"
LEARN = "ANALYZE runs_runtarget; ANALYZE runs_member; ANALYZE runs_runtuning; ANALYZE runs_case"


class Migration(migrations.Migration):
    dependencies = [("runs", "0013_targets_and_tunings_of_runs")]

    operations = [
        migrations.RunSQL(statement, migrations.RunSQL.noop)
        for statement in (
            *(FIND_TARGETS, FIND_ROWS, FIND_TUNINGS, KNOW),
            *(TARGETS, SEVERAL, ALONE, TUNINGS, CASES, LEARN),
        )
    ]
