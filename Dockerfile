# The image of every process: `docker run … fully-booked web`. It holds no secret and no setting;
# those come from the environment (.env.example). docs/deployment.md

# --- the front end --------------------------------------------------------------------------------
FROM node:22-trixie-slim AS frontend
WORKDIR /src
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY tsconfig.json vite.config.ts ./
COPY frontend frontend
COPY apps apps
COPY templates templates
RUN npm run build

# --- Python's packages ----------------------------------------------------------------------------
FROM python:3.11-slim-trixie AS packages
COPY requirements.txt .
RUN python -m venv /venv && /venv/bin/pip install --no-cache-dir --require-hashes -r requirements.txt

# --- what runs ------------------------------------------------------------------------------------
FROM python:3.11-slim-trixie
# pg_dump and pg_restore, for the commands `backup` and `restore`: as new as the server, or newer.
# https://wiki.postgresql.org/wiki/Apt
RUN apt-get update \
    && apt-get install --yes --no-install-recommends postgresql-common ca-certificates \
    && /usr/share/postgresql-common/pgdg/apt.postgresql.org.sh -y \
    && apt-get install --yes --no-install-recommends postgresql-client-18 \
    && rm -rf /var/lib/apt/lists/*
RUN useradd --system --uid 10001 --home-dir /app --shell /usr/sbin/nologin fully-booked \
    && install -d -o fully-booked /data /data/media
WORKDIR /app
COPY --from=packages /venv /venv
COPY manage.py Procfile ./
COPY config config
COPY apps apps
COPY templates templates
COPY static static
COPY locale locale
COPY deploy/process deploy/process
COPY docs/operations.md docs/operations.md
COPY --from=frontend /src/frontend/dist frontend/dist
ENV PATH=/venv/bin:$PATH PYTHONUNBUFFERED=1 DATA_DIR=/data \
    DJANGO_SETTINGS_MODULE=config.settings.production
# The settings need values to be read at all; none of these is used, stored, or a secret.
RUN SECRET_KEY=building DATABASE_URL=postgresql:///building REDIS_URL=redis://localhost/0 \
    STRIPE_SECRET_KEY=building STRIPE_PUBLISHABLE_KEY=building \
    sh -euc 'python -m compileall -q apps config && python manage.py compilemessages \
    && python manage.py collectstatic --noinput'
USER fully-booked
EXPOSE 8000
ENTRYPOINT ["deploy/process"]
CMD ["web"]
