# The hookscope command. `docker build -t hookscope .`, then `docker run --rm -it --init hookscope demo`.
ARG NODE_VERSION=24.22.3

FROM node:${NODE_VERSION}-bookworm-slim AS build
WORKDIR /source
ENV CI=true
RUN npm install --global pnpm@12.21.0
COPY package.json pnpm-workspace.yaml pnpm-lock.yaml tsconfig.base.json ./
COPY packages ./packages
COPY tools ./tools
RUN pnpm install --frozen-lockfile --filter "hookscope..." \
  && pnpm --recursive --filter "hookscope..." run build \
  && pnpm --filter hookscope deploy --prod --legacy /app

FROM node:${NODE_VERSION}-bookworm-slim
ENV NODE_ENV=production
RUN mkdir /var/lib/hookscope && chown node:node /var/lib/hookscope
COPY --from=build --chown=root:root /app /app
USER node
WORKDIR /home/node
VOLUME /var/lib/hookscope
ENV HOOKSCOPE_HOME=/var/lib/hookscope
EXPOSE 9464
ENTRYPOINT ["node", "/app/dist/main.mjs"]
CMD ["demo"]
