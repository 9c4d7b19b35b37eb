"""The narrow table of figures, filled from what is there, and what keeps it right.

`results_figure_due` says what the table must hold; triggers write the rows of a case again where
something of it changed, and `manage.py figures` those of all. A migration that adds a column adds
it to the view as well, at its end, as PostgreSQL does in the table.
"""

import django.db.models.deletion
from django.db import migrations, models

# Equal for equal settings, in whatever order and version of the shape they are stored.
HASH = """
CREATE FUNCTION results_settings_hash(settings jsonb) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
    SELECT ('x' || left(md5(COALESCE(string_agg(words, ',' ORDER BY words), '')), 16))::bit(64)::bigint
    FROM jsonb_array_elements(CASE
        WHEN jsonb_typeof(settings) = 'array' THEN settings
        WHEN jsonb_typeof(settings -> 'rows') = 'array' THEN settings -> 'rows'
        ELSE '[]' END) AS one,
    concat_ws('/', COALESCE(one ->> 'kind', 'queue'), NULLIF(one ->> 'section', ''),
              one ->> 'name', one ->> 'value') AS words
$$
"""
DUE = """
CREATE VIEW results_figure_due AS
SELECT m.id AS measurement_id, c.run_id, m.case_id, c.workload_id, c.run_target_id, t.target_id,
       lead.host_id, c.run_tuning_id, u.tuning_id,
       CASE WHEN r.origin <> 'imported' THEN results_settings_hash(u.settings) END AS settings_hash,
       a.facts_id, COALESCE(a.started_at, m.created_at) AS at,
       m.bandwidth, m.iops, m.latency_min, m.latency_mean, m.latency_max, m.latency_stddev,
       m.latency_p50, m.latency_p95, m.latency_p99, m.latency_p999, m.latency_p9999,
       c.block, c.repeat, m.parser_version,
       a.started_at IS NOT NULL OR r.origin <> 'imported' AS timed,
       r.origin = 'imported' AS imported, why.left_out = '' AS counts, why.left_out,
       m.operation, a.tool_version
FROM results_measurement AS m
JOIN runs_attempt AS a ON a.id = m.attempt_id
JOIN runs_case AS c ON c.id = m.case_id
JOIN runs_run AS r ON r.id = c.run_id
JOIN runs_runtarget AS t ON t.id = c.run_target_id
JOIN runs_runtuning AS u ON u.id = c.run_tuning_id
LEFT JOIN runs_member AS lead ON lead.run_target_id = t.id AND lead.position = 0
CROSS JOIN LATERAL (
    SELECT CASE
        WHEN NOT m.valid THEN 'invalid'
        WHEN c.state <> 'succeeded' THEN 'case'
        WHEN NOT a.valid OR a.state <> 'succeeded' THEN 'attempt'
        -- Two results of one case are no two repeats: the last one that could count does.
        WHEN EXISTS (
            SELECT FROM runs_attempt AS later
            JOIN results_measurement AS other ON other.attempt_id = later.id
                AND other.operation = m.operation AND other.part = '' AND other.valid
            WHERE later.case_id = m.case_id AND later.number > a.number
                AND later.valid AND later.state = 'succeeded'
        ) THEN 'replaced'
        ELSE '' END AS left_out
    OFFSET 0
) AS why
WHERE m.part = ''
"""
# Rows that differ go, rows that are missing come; what is right is not written again. How many came
# and went. By indexes alone: with the statistics of a young table PostgreSQL would read all of it
# for each row.
WRITE = """
CREATE FUNCTION results_figures_write(measurements bigint[]) RETURNS bigint LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
    gone bigint;
    come bigint;
BEGIN
    DELETE FROM results_figure AS f WHERE f.measurement_id = ANY (measurements) AND NOT EXISTS (
        SELECT FROM results_figure_due AS d
        WHERE d.measurement_id = f.measurement_id AND ROW(d.*) IS NOT DISTINCT FROM ROW(f.*));
    GET DIAGNOSTICS gone = ROW_COUNT;
    INSERT INTO results_figure
        SELECT d.* FROM results_figure_due AS d WHERE d.measurement_id = ANY (measurements)
        ON CONFLICT (measurement_id) DO NOTHING;
    GET DIAGNOSTICS come = ROW_COUNT;
    RETURN greatest(gone, come);
END $$
"""
# Whoever changes something else of the same case waits at its row, and then sees what was changed.
CASES = """
CREATE FUNCTION results_figures_of_cases(cases bigint[], others bigint[] DEFAULT '{}')
RETURNS void LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
    PERFORM FROM runs_case WHERE id = ANY (cases) ORDER BY id FOR NO KEY UPDATE;
    PERFORM results_figures_write(
        others || ARRAY(SELECT id FROM results_measurement WHERE case_id = ANY (cases)));
END $$
"""
MEASURED = """
CREATE FUNCTION results_figures_measured() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        PERFORM results_figures_of_cases(ARRAY(SELECT DISTINCT case_id FROM new_rows));
    ELSIF TG_OP = 'UPDATE' THEN
        PERFORM results_figures_of_cases(
            ARRAY(SELECT case_id FROM new_rows UNION SELECT case_id FROM old_rows),
            ARRAY(SELECT id FROM old_rows));
    ELSE
        PERFORM results_figures_of_cases(
            ARRAY(SELECT DISTINCT case_id FROM old_rows), ARRAY(SELECT id FROM old_rows));
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER figures_measured AFTER INSERT ON results_measurement
    REFERENCING NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION results_figures_measured();
CREATE TRIGGER figures_measured_again AFTER UPDATE ON results_measurement
    REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION results_figures_measured();
CREATE TRIGGER figures_no_more AFTER DELETE ON results_measurement
    REFERENCING OLD TABLE AS old_rows
    FOR EACH STATEMENT EXECUTE FUNCTION results_figures_measured();
"""
JUDGED = """
CREATE FUNCTION results_figures_judged() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_TABLE_NAME = 'runs_case' THEN
        PERFORM results_figures_of_cases(ARRAY[NEW.id]);
    ELSE
        PERFORM results_figures_of_cases(ARRAY[OLD.case_id, NEW.case_id]);
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER figures_judged AFTER UPDATE OF state, run_id, workload_id, run_target_id,
        run_tuning_id, block, repeat ON runs_case
    FOR EACH ROW WHEN (
        (OLD.state = 'succeeded') <> (NEW.state = 'succeeded')
        OR (OLD.run_id, OLD.workload_id, OLD.run_target_id, OLD.run_tuning_id, OLD.block, OLD.repeat)
        <> (NEW.run_id, NEW.workload_id, NEW.run_target_id, NEW.run_tuning_id, NEW.block, NEW.repeat)
    ) EXECUTE FUNCTION results_figures_judged();
CREATE TRIGGER figures_judged AFTER UPDATE OF state, valid, number, started_at, facts_id,
        tool_version, case_id ON runs_attempt
    FOR EACH ROW WHEN (
        (OLD.state = 'succeeded') <> (NEW.state = 'succeeded')
        OR (OLD.valid, OLD.number, OLD.tool_version, OLD.case_id)
        <> (NEW.valid, NEW.number, NEW.tool_version, NEW.case_id)
        OR (OLD.started_at, OLD.facts_id) IS DISTINCT FROM (NEW.started_at, NEW.facts_id)
    ) EXECUTE FUNCTION results_figures_judged();
"""
# What cases share seldom changes: a deleted tuning profile leaves its runs without one.
SHARED = """
CREATE FUNCTION results_figures_shared() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_TABLE_NAME = 'runs_runtuning' THEN
        PERFORM results_figures_of_cases(ARRAY(SELECT id FROM runs_case WHERE run_tuning_id = NEW.id));
    ELSIF TG_TABLE_NAME = 'runs_runtarget' THEN
        PERFORM results_figures_of_cases(ARRAY(SELECT id FROM runs_case WHERE run_target_id = NEW.id));
    ELSE
        PERFORM results_figures_of_cases(ARRAY(
            SELECT id FROM runs_case WHERE run_target_id IN (OLD.run_target_id, NEW.run_target_id)));
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER figures_shared AFTER UPDATE OF tuning_id, settings ON runs_runtuning
    FOR EACH ROW WHEN ((OLD.tuning_id, OLD.settings) IS DISTINCT FROM (NEW.tuning_id, NEW.settings))
    EXECUTE FUNCTION results_figures_shared();
CREATE TRIGGER figures_shared AFTER UPDATE OF target_id ON runs_runtarget
    FOR EACH ROW WHEN (OLD.target_id IS DISTINCT FROM NEW.target_id)
    EXECUTE FUNCTION results_figures_shared();
CREATE TRIGGER figures_shared AFTER UPDATE OF host_id, position, run_target_id ON runs_member
    FOR EACH ROW WHEN (
        (OLD.host_id, OLD.position, OLD.run_target_id)
        <> (NEW.host_id, NEW.position, NEW.run_target_id)
    ) EXECUTE FUNCTION results_figures_shared();
"""
# Of a database that was restored just now PostgreSQL knows no sizes, and would look through whole
# tables for each row.
LEARN = """
ANALYZE results_measurement; ANALYZE runs_attempt; ANALYZE runs_case; ANALYZE runs_run;
ANALYZE runs_runtarget; ANALYZE runs_runtuning; ANALYZE runs_member;
"""
FILL = "INSERT INTO results_figure SELECT * FROM results_figure_due"
UNDO = """
DROP TRIGGER figures_shared ON runs_member;
DROP TRIGGER figures_shared ON runs_runtarget;
DROP TRIGGER figures_shared ON runs_runtuning;
DROP TRIGGER figures_judged ON runs_attempt;
DROP TRIGGER figures_judged ON runs_case;
DROP TRIGGER figures_no_more ON results_measurement;
DROP TRIGGER figures_measured_again ON results_measurement;
DROP TRIGGER figures_measured ON results_measurement;
DROP FUNCTION results_figures_shared();
DROP FUNCTION results_figures_judged();
DROP FUNCTION results_figures_measured();
DROP FUNCTION results_figures_of_cases(bigint[], bigint[]);
DROP FUNCTION results_figures_write(bigint[]);
DROP VIEW results_figure_due;
DROP FUNCTION results_settings_hash(jsonb);
"""
INDEXES = (
    models.Index(fields=["run"], name="figures_of_a_run"),
    models.Index(fields=["host", "workload"], name="figures_of_a_host"),
    models.Index(
        fields=["workload", "target", "at"],
        condition=models.Q(counts=True),
        name="figures_over_time",
    ),
)


class Migration(migrations.Migration):

    dependencies = [
        ('inventory', '0009_fewer_indexes'),
        ('plans', '0006_fewer_indexes'),
        ('results', '0004_fewer_indexes'),
        ('runs', '0016_states_go_forward'),
        ('tuning', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='Figure',
            fields=[
                ('measurement', models.OneToOneField(db_constraint=False, on_delete=django.db.models.deletion.DO_NOTHING, primary_key=True, related_name='figure', serialize=False, to='results.measurement')),
                ('run', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='figures', to='runs.run')),
                ('case', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='figures', to='runs.case')),
                ('workload', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='figures', to='plans.workload')),
                ('run_target', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='figures', to='runs.runtarget')),
                ('target', models.ForeignKey(db_constraint=False, db_index=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='figures', to='inventory.target')),
                ('host', models.ForeignKey(db_constraint=False, db_index=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='figures', to='inventory.host')),
                ('run_tuning', models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, related_name='figures', to='runs.runtuning')),
                ('tuning', models.ForeignKey(db_constraint=False, db_index=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='figures', to='tuning.tuningprofile')),
                ('settings_hash', models.BigIntegerField(null=True)),
                ('facts', models.ForeignKey(db_constraint=False, db_index=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='figures', to='inventory.hostfacts')),
                ('at', models.DateTimeField()),
                ('bandwidth', models.FloatField(null=True)),
                ('iops', models.FloatField(null=True)),
                ('latency_min', models.FloatField(null=True)),
                ('latency_mean', models.FloatField(null=True)),
                ('latency_max', models.FloatField(null=True)),
                ('latency_stddev', models.FloatField(null=True)),
                ('latency_p50', models.FloatField(null=True)),
                ('latency_p95', models.FloatField(null=True)),
                ('latency_p99', models.FloatField(null=True)),
                ('latency_p999', models.FloatField(null=True)),
                ('latency_p9999', models.FloatField(null=True)),
                ('block', models.PositiveIntegerField()),
                ('repeat', models.PositiveIntegerField()),
                ('parser_version', models.PositiveIntegerField()),
                ('timed', models.BooleanField()),
                ('imported', models.BooleanField()),
                ('counts', models.BooleanField()),
                ('left_out', models.CharField(blank=True, choices=[('invalid', 'its figures are marked invalid'), ('case', 'the case did not succeed'), ('attempt', 'the attempt did not succeed, or its figures are doubtful'), ('replaced', 'a later attempt of the same case counts')], max_length=8)),
                ('operation', models.CharField(max_length=20)),
                ('tool_version', models.CharField(blank=True, max_length=40)),
            ],
            options={'ordering': ['-pk']},
        ),
        migrations.RunSQL([HASH, DUE, WRITE, CASES], UNDO),
        migrations.RunSQL(LEARN, migrations.RunSQL.noop),
        migrations.RunSQL(FILL, migrations.RunSQL.noop),
        *(migrations.AddIndex("figure", index) for index in INDEXES),
        migrations.RunSQL([MEASURED, JUDGED, SHARED], migrations.RunSQL.noop),
        migrations.RunSQL("ANALYZE results_figure", migrations.RunSQL.noop),
    ]
