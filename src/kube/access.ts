import type { Secret } from '#base/secret.ts'

/** What a client shows to prove who it is. Empty means anonymous. */
export interface Credentials {
  token?: Secret<string>
  /** A client certificate with its key, PEM. */
  certificate?: { certificate: string; key: Secret<string> }
}

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
