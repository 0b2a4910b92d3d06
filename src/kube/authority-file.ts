import type { Clock } from '#base/clock.ts'
import { followFiles, type Source } from './followed-files.ts'
import { certificatesIn } from './kubeconfig-pem.ts'

/** The CAs in a file, one or several, followed as `followFiles` does. `what` names it in errors. */
export const followAuthority = (path: string, what: string, clock: Clock): Source<string> =>
  followFiles({ paths: [path], parse: ([pem = '']) => certificatesIn(pem, what), clock })
