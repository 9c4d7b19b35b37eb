# The production image: web, worker, beat and one-off commands; the servers are elsewhere.
# A release is built with its version and commit (RELEASING.md); without them the labels are empty.
FROM python:3.11-slim-bookworm AS build
WORKDIR /build
COPY requirements.txt .
# Before the source, so that a change of the source leaves this layer, the biggest, as it is.
RUN python3 -m venv /opt/benchlab/venv \
    && /opt/benchlab/venv/bin/pip install --no-cache-dir --disable-pip-version-check -r requirements.txt

FROM python:3.11-slim-bookworm
RUN useradd --system --create-home --home-dir /var/lib/benchlab --shell /usr/sbin/nologin benchlab
COPY --from=build /opt/benchlab/venv /opt/benchlab/venv
WORKDIR /opt/benchlab/app
COPY manage.py CHANGELOG.md ./
COPY static static
COPY templates templates
COPY benchlab benchlab
COPY apps apps
COPY locale locale
ARG BENCHLAB_VERSION=""
# A label that differs from the code would mislead whoever reads it: no image then.
RUN python -c "import sys; sys.path.insert(0, 'benchlab'); from version import VERSION; sys.exit(0 if sys.argv[1] in ('', VERSION) else f'BENCHLAB_VERSION is {sys.argv[1]}, the code is {VERSION}')" "$BENCHLAB_VERSION"
ENV PATH=/opt/benchlab/venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    DJANGO_SETTINGS_MODULE=benchlab.settings \
    BENCHLAB_HOME=/var/lib/benchlab
# The account that runs cannot write here, so Python could never keep what it compiles.
RUN python -m compileall -q benchlab apps
# The secrets of these steps are made up and thrown away: only names of files depend on them.
RUN SECRET_KEY=build BENCHLAB_ENCRYPTION_KEYS=build python manage.py compilemessages
USER benchlab
RUN SECRET_KEY=build BENCHLAB_ENCRYPTION_KEYS=build python manage.py collectstatic --noinput -v 0
EXPOSE 8000
# Last, because each commit changes them: the layers above stay in the cache.
ARG BENCHLAB_REVISION=""
LABEL org.opencontainers.image.title="benchlab" \
      org.opencontainers.image.description="Storage and network benchmarks of a lab" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.base.name="docker.io/library/python:3.11-slim-bookworm" \
      org.opencontainers.image.version="$BENCHLAB_VERSION" \
      org.opencontainers.image.revision="$BENCHLAB_REVISION"
CMD ["python", "-m", "gunicorn", "--config", "python:benchlab.gunicorn", "--bind", "0.0.0.0:8000", \
     "benchlab.wsgi"]
