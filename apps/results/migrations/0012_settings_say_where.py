"""Settings for other hosts and disks than those under test are told apart by where they apply; the
number of all others stays what it was.
"""

from django.db import migrations

HASH = """
CREATE OR REPLACE FUNCTION results_settings_hash(settings jsonb) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$
    SELECT ('x' || left(md5(COALESCE(string_agg(words, ',' ORDER BY words), '')), 16))::bit(64)::bigint
    FROM jsonb_array_elements(CASE
        WHEN jsonb_typeof(settings) = 'array' THEN settings
        WHEN jsonb_typeof(settings -> 'rows') = 'array' THEN settings -> 'rows'
        ELSE '[]' END) AS one,
    concat_ws('/', COALESCE(one ->> 'kind', 'queue'), NULLIF(one ->> 'section', ''),
              one ->> 'name', one ->> 'value', '@' || NULLIF(one ->> 'where', '')) AS words
$$
"""


class Migration(migrations.Migration):
    dependencies = [("results", "0011_series_can_be_thinned")]
    operations = [migrations.RunSQL(HASH, migrations.RunSQL.noop)]
