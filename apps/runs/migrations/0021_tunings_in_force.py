"""Results on directories, pools and pairs of hosts are no longer filed under settings of a disk's
queue: those were lent to disks under test only, so nothing of them was in force there.
"""

from django.db import migrations

FILE_AGAIN = """
DO $$
DECLARE
    u record;
    wrong bigint[];
    made bigint;
BEGIN
    FOR u IN
        SELECT t.id, t.run_id, t.name, t.settle, had.kept
        FROM runs_runtuning AS t
        JOIN runs_run AS r ON r.id = t.run_id AND r.origin <> 'imported'
        CROSS JOIN LATERAL (
            SELECT count(*) FILTER (WHERE COALESCE(one ->> 'kind', 'queue') = 'queue') AS queues,
                   COALESCE(jsonb_agg(one) FILTER (
                       WHERE COALESCE(one ->> 'kind', 'queue') <> 'queue'), '[]') AS kept
            FROM jsonb_array_elements(CASE
                WHEN jsonb_typeof(t.settings) = 'array' THEN t.settings
                ELSE COALESCE(t.settings -> 'rows', '[]') END) AS one
        ) AS had
        WHERE had.queues > 0 AND EXISTS (
            SELECT FROM runs_runtarget AS g
            WHERE g.run_id = t.run_id AND g.kind IN ('directory', 'pool', 'pair', 'group'))
    LOOP
        wrong := ARRAY(
            SELECT c.id FROM runs_case AS c
            WHERE c.run_id = u.run_id AND c.run_tuning_id = u.id AND c.state = 'succeeded'
              AND EXISTS (SELECT FROM runs_member AS m WHERE m.run_target_id = c.run_target_id
                                                         AND m.kind IN ('directory', 'pool', 'pair')));
        CONTINUE WHEN wrong = '{}';
        made := NULL;
        IF u.kept = '[]' THEN
            SELECT id INTO made FROM runs_runtuning
            WHERE run_id = u.run_id AND tuning_id IS NULL AND name = 'As found'
              AND (settings = '[]' OR settings -> 'rows' = '[]');
        END IF;
        IF made IS NULL THEN
            INSERT INTO runs_runtuning (run_id, position, tuning_id, name, settings, settle)
            SELECT u.run_id, max(position) + 1, NULL,
                   CASE WHEN u.kept = '[]' THEN 'As found'
                        ELSE left(u.name, 60) || ', not the queue' END,
                   u.kept, u.settle
            FROM runs_runtuning WHERE run_id = u.run_id
            RETURNING id INTO made;
        END IF;
        UPDATE runs_case SET run_tuning_id = made, planned_tuning_id = u.id WHERE id = ANY (wrong);
    END LOOP;
END $$
"""


class Migration(migrations.Migration):
    dependencies = [("runs", "0020_planned_tunings")]
    operations = [migrations.RunSQL(FILE_AGAIN, migrations.RunSQL.noop)]
