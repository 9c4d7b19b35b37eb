"""Results of a member name its row, where the text of the part is one member's (as
apps.results.attempts.members reads it from now on).
"""

import django.db.models.deletion
from django.db import migrations, models

# Each member by its label; by its host's name where it is the only one there. Imports say no more of
# what they measured than a name of their own.
NAMED = """
CREATE TEMPORARY TABLE named ON COMMIT DROP AS
WITH labels AS (
    SELECT run_target_id, label AS text, min(id) AS id, count(*) AS number
    FROM runs_member WHERE kind <> '' GROUP BY 1, 2
), hosts AS (
    SELECT run_target_id, host_name AS text, min(id) AS id, count(*) AS number
    FROM runs_member WHERE kind <> '' GROUP BY 1, 2
)
SELECT run_target_id, text, id FROM labels WHERE number = 1
UNION ALL
SELECT run_target_id, text, id FROM hosts
WHERE number = 1 AND (run_target_id, text) NOT IN (SELECT run_target_id, text FROM labels)
"""
# Figures are of wholes, which stay as they are: their trigger need not look.
MEASUREMENTS = """
ALTER TABLE results_measurement DISABLE TRIGGER figures_measured_again;
UPDATE results_measurement AS row SET member_id = named.id
FROM runs_case AS c JOIN named USING (run_target_id)
WHERE row.part <> '' AND c.id = row.case_id AND named.text = row.part;
SET CONSTRAINTS ALL IMMEDIATE;
ALTER TABLE results_measurement ENABLE TRIGGER figures_measured_again;
"""
SERIES = """
UPDATE results_series AS row SET member_id = named.id
FROM runs_attempt AS a JOIN runs_case AS c ON c.id = a.case_id JOIN named USING (run_target_id)
WHERE a.id = row.attempt_id AND named.text = CASE
    WHEN row.source = 'device' THEN btrim(row.part || ' ' || row.subject) ELSE row.part END
    AND (row.source = 'device' OR row.part <> '');
SET CONSTRAINTS ALL IMMEDIATE;
"""


class Migration(migrations.Migration):

    dependencies = [
        ('results', '0005_figures'),
        ('runs', '0016_states_go_forward'),
    ]

    operations = [
        migrations.AddField(
            model_name='measurement',
            name='member',
            field=models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='measurements', to='runs.member'),
        ),
        migrations.AddField(
            model_name='series',
            name='member',
            field=models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='series', to='runs.member'),
        ),
        *(
            migrations.RunSQL(statement, migrations.RunSQL.noop)
            for statement in (NAMED, "ANALYZE named", MEASUREMENTS, SERIES)
        ),
        migrations.AddIndex(
            model_name='measurement',
            index=models.Index(condition=models.Q(('member__isnull', False)), fields=['member'], name='measurements_of_a_member'),
        ),
        migrations.AddIndex(
            model_name='series',
            index=models.Index(condition=models.Q(('member__isnull', False)), fields=['member'], name='series_of_a_member'),
        ),
    ]
