import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { ApiAccess } from '#kube/access.ts'
import { createAuthority } from '#test/conformance/kubernetes/certificates.ts'

/** An HTTPS server in this process that answers as a test says. Disposing of it breaks it off. */
export interface AnsweringServer extends AsyncDisposable {
  /** How to reach it, with no credentials. */
  access: ApiAccess
  /** `GET /path?query` of every request so far. */
  asked: string[]
  /** How many connections were made so far. */
  readonly connections: number
}

export async function startAnsweringServer(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<AnsweringServer> {
  const authority = createAuthority()
  const { certificate: cert, key } = authority.issueServer('localhost')
  const asked: string[] = []
  let connections = 0
  const server = createServer({ cert, key }, (request, response) => {
    asked.push(`${request.method} ${request.url}`)
    answer(request, response)
  }).on('secureConnection', () => {
    connections += 1
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    access: {
      origin: 'a test',
      server: new URL(`https://127.0.0.1:${port}`),
      authority: async () => authority.certificate,
      skipVerify: false,
      namespace: 'default',
      credentials: async () => ({}),
    },
    asked,
    get connections() {
      return connections
    },
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
