# syntax=docker/dockerfile:1
# The service without a database: it needs DATABASE_URL and APP_SECRETS. compose.yaml shows both.

FROM node:24-slim AS build
WORKDIR /app
ENV NEXT_TELEMETRY_DISABLED=1
COPY package.json package-lock.json .npmrc ./
RUN npm ci --include=dev --no-audit --no-fund
COPY . .
# Builds what `npm start` would build, then takes away what only building needs.
RUN node lib/cli/commands.mjs build && npm prune --omit=dev --no-audit --no-fund && rm -rf .next/cache

FROM node:24-slim
WORKDIR /app
ENV NODE_ENV=production NEXT_TELEMETRY_DISABLED=1 HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
COPY --from=build /app /app
# Nothing in /app belongs to the user that the service runs as; only /data is written.
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000
# Prints the answer, which names the part that does not work.
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=4 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/api/health`).then(async (a) => { console.log(await a.text()); process.exitCode = a.ok ? 0 : 1; }, (e) => { console.log(`${e.cause ?? e}`); process.exitCode = 1; })"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "--heap-growing-percent=60", "lib/cli/commands.mjs"]
CMD ["start"]
