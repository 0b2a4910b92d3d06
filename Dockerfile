# The operator's image, by `make docker-build`; docs/guides/installing.md says how. What is made here is made on the builder's
# own kind of machine: the last stage only takes files, so that an image for the other kind needs no emulation.

FROM --platform=$BUILDPLATFORM node:24.21.0-trixie-slim AS program
WORKDIR /build
COPY package.json package-lock.json tsconfig.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY scripts/build.ts scripts/bundle.ts scripts/licences.ts scripts/
COPY src src
RUN npm run build

# What is not in the bundle: the embedded API's database, without what was made for other versions of Node, for other
# C libraries, and for formats that are not used here.
FROM --platform=$BUILDPLATFORM node:24.21.0-trixie-slim AS packages
ARG TARGETARCH
WORKDIR /build
COPY package.json package-lock.json ./
RUN case "$TARGETARCH" in \
      amd64) cpu=x64 ;; \
      arm64) cpu=arm64 ;; \
      *) echo "there is no image for TARGETARCH=$TARGETARCH" >&2; exit 1 ;; \
    esac \
 && npm ci --omit=dev --ignore-scripts --no-audit --no-fund --os=linux --cpu="$cpu" --libc=glibc \
 && { [ -d "node_modules/@lmdb/lmdb-linux-$cpu" ] \
      || { echo "npm left @lmdb/lmdb-linux-$cpu out, as it does with what it cannot fetch: build again" >&2; exit 1; }; } \
 && find node_modules -name '*.node' ! -name node.napi.glibc.node -delete \
 && find node_modules -name '*.map' -delete \
 && rm -r node_modules/lmdb/dependencies node_modules/lmdb/src node_modules/@msgpackr-extract

# For add-ons, which are Helm charts. Certificates go along for it: Node has its own.
FROM --platform=$BUILDPLATFORM golang:1.26.8-trixie AS helm
ARG TARGETARCH
WORKDIR /build
COPY test/conformance/programs/helm/go.mod test/conformance/programs/helm/go.sum ./
RUN CGO_ENABLED=0 GOFLAGS=-mod=readonly GOTOOLCHAIN=local GOWORK=off GOOS=linux GOARCH="$TARGETARCH" \
    go build -trimpath -ldflags '-s -w -X helm.sh/helm/v4/internal/version.version=v4.2.4' \
      -o helm helm.sh/helm/v4/cmd/helm \
 && cp "$(GOTOOLCHAIN=local GOWORK=off go list -m -f '{{.Dir}}' helm.sh/helm/v4)/LICENSE" LICENSE.helm \
 && cp /etc/ssl/certs/ca-certificates.crt ca-certificates.crt

FROM node:24.21.0-trixie-slim
LABEL org.opencontainers.image.title="talos-operator" \
      org.opencontainers.image.licenses="Apache-2.0"
COPY --from=helm /build/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
COPY --from=helm /build/helm /usr/local/bin/helm
COPY --from=helm --chmod=644 /build/LICENSE.helm /usr/local/share/licenses/helm/LICENSE
WORKDIR /app
COPY --chmod=644 LICENSE package.json ./
COPY --chmod=755 bin bin
COPY --from=packages /build/node_modules node_modules
COPY --from=program /build/dist dist
USER 65532:65532
EXPOSE 8080 8081
ENTRYPOINT ["/app/bin/talos-operator"]
CMD ["run"]
