# Slipway as a container image: one stage builds, one installs the production dependencies, and the last one contains
# only what runs. The stages `runner` and `runner-android` are other images.
#
#   docker build -t slipway:0.1.0 --build-arg VERSION=0.1.0 --build-arg REVISION="$(git rev-parse HEAD)" .

FROM node:24-bookworm-slim AS build
WORKDIR /app
# Dependencies before sources: Docker reuses this layer until the lock file changes.
COPY package.json package-lock.json ./
COPY console/package.json console/
RUN npm ci --no-audit --no-fund
COPY nest-cli.json tsconfig.json tsconfig.build.json ./
COPY migrations/ migrations/
COPY scripts/build.ts scripts/build-lock.ts scripts/bundle.ts scripts/compile.ts scripts/
COPY src/ src/
RUN npm run build
COPY scripts/build-console.ts scripts/
COPY console/ console/
RUN npm run build:console

# Without console/package.json, whose packages are only needed to build it.
FROM node:24-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --no-audit --no-fund

# The runner: docker build --target runner -t slipway-runner:0.1.0 .
# Also the image of pods on Kubernetes. Install what your builds need in an image of your own that begins with this one.
FROM node:24-bookworm-slim AS runner
WORKDIR /app
# git fetches sources; bubblewrap, slirp4netns and iproute2 make the sandbox, which pods do not need. Node.js 25 and later,
# which a runner can fetch for builds, needs libatomic1.
RUN apt-get update \
  && apt-get install -y --no-install-recommends \
    bubblewrap ca-certificates git git-lfs iproute2 libatomic1 slirp4netns unzip zip \
  && rm -rf /var/lib/apt/lists/* \
  && install -d -o node -g node -m 0700 /var/lib/slipway-runner
COPY --from=dependencies /app/node_modules/ node_modules/
COPY --from=build /app/dist/slipway.js /app/dist/slipway.js.map dist/
COPY --from=build /app/dist/chunks/ dist/chunks/
COPY package.json LICENSE ./
ENV RUNNER_DIR=/var/lib/slipway-runner
VOLUME /var/lib/slipway-runner
USER node
# A build in the same container must not open the debugger of its runner.
ENTRYPOINT ["node", "--disable-sigusr1", "dist/slipway.js"]
CMD ["runner"]

# The runner with what signs Android packages: docker build --target runner-android -t slipway-runner-android:0.1.0 .
# Add the Android SDK, and further JDKs if your projects need them, in an image of your own that begins with this one.
FROM runner AS runner-android
USER root
# The slim image lacks the folder of man pages, to which the packages of Java add links.
RUN mkdir -p /usr/share/man/man1 \
  && apt-get update \
  && apt-get install -y --no-install-recommends apksigner openjdk-17-jdk-headless zipalign \
  && rm -rf /var/lib/apt/lists/*
USER node

FROM node:24-bookworm-slim
WORKDIR /app
# A new volume inherits the owner of the folder that it is mounted on.
RUN install -d -o node -g node -m 0750 /data
# root owns the program, so the process cannot change it.
COPY --from=dependencies /app/node_modules/ node_modules/
COPY --from=build /app/dist/slipway.js /app/dist/slipway.js.map dist/
COPY --from=build /app/dist/chunks/ dist/chunks/
COPY --from=build /app/dist/console/ dist/console/
COPY package.json openapi.json LICENSE ./
RUN ln -s /app/dist/slipway.js /usr/local/bin/slipway

ENV NODE_ENV=production
ENV DATA_DIR=/data
# How commands are run here, for the lines that they print.
ENV INSTALLATION=image
# Fewer malloc arenas, which hold freed memory: saves about 20 MB.
ENV MALLOC_ARENA_MAX=2
VOLUME /data
EXPOSE 3000
USER node

# Liveness, not readiness: Docker Swarm, for example, replaces the container when this check fails. A database that is
# unavailable for a minute must not cause that.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 3000) + '/health/live').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]

# node is the first process, without npm or a shell around it, so SIGTERM reaches it.
# Arguments are a command of `slipway`, `start` by default.
ENTRYPOINT ["node", "--max-semi-space-size=4", "--no-parallel-scavenge", "--heap-growing-percent=100", "dist/slipway.js"]

# Last, because they change with every build and would invalidate the following layers.
ARG VERSION=dev
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Slipway" \
  org.opencontainers.image.description="Self-hosted backend for managing mobile apps: live updates, native builds and store submissions." \
  org.opencontainers.image.licenses="Apache-2.0" \
  org.opencontainers.image.version="$VERSION" \
  org.opencontainers.image.revision="$REVISION" \
  org.opencontainers.image.base.name="docker.io/library/node:24-bookworm-slim"
