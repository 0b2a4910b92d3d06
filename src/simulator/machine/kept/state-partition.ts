import type { Secret } from '#base/secret.ts'

/** What makes an installed machine itself: its configuration and its name among others. */
export class StatePartition {
  /** The text of the configuration for the next boot. */
  config: Secret<string> | undefined
  /** By which others of its cluster know it. */
  nodeId: string | undefined

  wipe(): void {
    this.config = undefined
    this.nodeId = undefined
  }
}
