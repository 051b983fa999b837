# Survest in a container: built in one stage, run in another that has neither compiler nor package manager cache, as an
# unprivileged user. Without SVRST_DB_URI it brings its own database, kept in the volume.
FROM node:22-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run build && npm prune --omit=dev --no-audit --no-fund

FROM node:22-bookworm-slim
# GDAL reads uploads (without it the WebAssembly build does, slower); bubblewrap keeps it away from everything else.
RUN apt-get update -qq \
 && apt-get install -qq -y --no-install-recommends gdal-bin bubblewrap ca-certificates \
 && rm -rf /var/lib/apt/lists/* \
 && install -d -o node -g node -m 0700 /data
WORKDIR /app
COPY --from=build /build/package.json /build/README.md /build/LICENSE ./
COPY --from=build /build/node_modules node_modules
COPY --from=build /build/dist dist
COPY --from=build /build/docs docs
ENV NODE_ENV=production \
    SVRST_DATA_DIR=/data \
    SVRST_SERVER_HOST=0.0.0.0 \
    SVRST_PORTAL_HOST=0.0.0.0 \
    SVRST_ADMIN_SERVER_HOST=127.0.0.1 \
    SVRST_ADMIN_SERVER_PORT=3001
USER node
VOLUME /data
EXPOSE 3000 8000
# Asks the admin server inside the container, which nobody outside reaches.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["node", "dist/server/main.js", "--ready"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "dist/server/main.js"]
