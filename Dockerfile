# The image of web and worker. The database, the storage of media and what ends TLS are elsewhere: docker-compose.yml.

FROM node:22-bookworm-slim AS static
WORKDIR /build
COPY frontend/admin/package.json frontend/admin/package-lock.json frontend/admin/.npmrc ./
RUN npm ci --no-audit --no-fund
COPY frontend/admin/build.mjs ./
COPY frontend/admin/src ./src
RUN npm run build

FROM python:3.13-slim-bookworm AS packages
WORKDIR /app
COPY requirements/runtime.txt requirements/runtime.txt
RUN python -m venv .venv \
    && .venv/bin/python -m pip install --no-cache-dir --disable-pip-version-check --require-hashes -r requirements/runtime.txt

FROM python:3.13-slim-bookworm
ENV PLENUM_ENV=production PLENUM_DATA_DIR=/var/lib/plenum PATH=/app/.venv/bin:$PATH PYTHONUNBUFFERED=1
RUN useradd --system --create-home --home-dir /var/lib/plenum plenum
WORKDIR /app
COPY --from=packages /app/.venv .venv
COPY . .
COPY --from=static /build/dist frontend/admin/dist
# Settings are complete or refused: these ones serve this step only, and none of them reaches the image.
RUN PLENUM_SECRET_KEY=only-to-collect-the-static-files-0123456789-abcdefghij \
    PLENUM_ALLOWED_HOSTS=localhost DATABASE_URL=postgresql://nobody@nowhere/nothing \
    python manage.py collectstatic --no-input
USER plenum
EXPOSE 8000
CMD ["granian", "--interface", "wsgi", "--host", "0.0.0.0", "--port", "8000", \
     "--workers", "2", "--blocking-threads", "2", "--blocking-threads-idle-timeout", "600", \
     "--respawn-failed-workers", "--no-ws", "config.wsgi:application"]
