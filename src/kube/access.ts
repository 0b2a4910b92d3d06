import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { Secret } from '#base/secret.ts'

/** What a client shows to prove who it is. Empty means anonymous. */
export interface Credentials {
  token?: Secret<string>
  /** A client certificate with its key, PEM. */
  certificate?: { certificate: string; key: Secret<string> }
}

/** The head of an answer; the body is still to be read, and must be read or destroyed. */
export interface Response {
  status: number
  headers: IncomingHttpHeaders
  body: Readable
}

/** A request on its way, with what the two ends of a connection would prove to each other. */
export interface CarriedRequest {
  method: string
  url: URL
  headers: Record<string, string | string[]>
  body?: string
  /** The CAs that have to vouch for the server, PEM. Left out: those of the system. */
  authority?: string
  credentials: Credentials
  /** Ends it, and the body of its answer. */
  signal: AbortSignal
}

/** Brings a request to its server. Rejects only when there is no answer. */
export type Carry = (request: CarriedRequest) => Promise<Response>

/** How one Kubernetes API is reached: from a kubeconfig, or from inside a pod. */
export interface ApiAccess {
  /** Where this came from, for messages: `context "prod" of /etc/kube/config`. Holds no secret. */
  origin: string
  /** The API server; a path in it is kept in front of every request's. */
  server: URL
  /** The name to expect in the server's certificate, where it is not the host of the URL. */
  serverName?: string
  /** Whether the server's certificate is believed without a look. Only ever true when asked for. */
  skipVerify: boolean
  proxy?: URL
  /** Whether it is one of many, and little comes from it: its connections hold less, and take longer. */
  isOneOfMany?: boolean
  /** For a server that is reached in another way: in this process, say. Left out: TLS, verified. */
  carry?: Carry
  /** The namespace that applies where none is said. */
  namespace: string
  /** Users or groups to act as. */
  impersonate?: { user: string; groups: string[] }
  /**
   * The CAs to trust now, PEM, one or several. Left out: those of the system. `renew` is said after
   * they did not vouch for the server.
   */
  authority?(options: { renew: boolean; signal: AbortSignal }): Promise<string>
  /**
   * The credentials to use now. Cheap: what was read is kept until it expires or its file changes.
   * `renew` is said after the server refused them: what is kept is forgotten first.
   */
  credentials(options: { renew: boolean; signal: AbortSignal }): Promise<Credentials>
}
