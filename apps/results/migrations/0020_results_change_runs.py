from django.db import migrations

EVENTS = {"insert": "NEW", "update": "NEW", "delete": "OLD"}


# The table of figures follows from these and from attempts and cases, which have such triggers too.
NOTED = "".join(
    f"CREATE TRIGGER run_changed_by_{event} AFTER {event} ON results_measurement "
    f"REFERENCING {rows} TABLE AS changed FOR EACH STATEMENT "
    "EXECUTE FUNCTION runs_changed_by_case();"
    for event, rows in EVENTS.items()
)
NOT_NOTED = "".join(
    f"DROP TRIGGER run_changed_by_{event} ON results_measurement;" for event in EVENTS
)


class Migration(migrations.Migration):

    dependencies = [
        ('results', '0019_latest_result_of_a_target'),
        ('runs', '0035_versions_of_runs'),
    ]

    operations = [migrations.RunSQL(NOTED, NOT_NOTED)]
