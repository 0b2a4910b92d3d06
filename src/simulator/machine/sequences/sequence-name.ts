/** What a machine does as a whole. */
export type SequenceName =
  | 'initialize'
  | 'install'
  | 'boot'
  | 'reboot'
  | 'shutdown'
  | 'reset'
  | 'upgrade'
  | 'stageUpgrade'
  | 'maintenanceUpgrade'

const TAKE_OVERS: ReadonlyMap<SequenceName, readonly SequenceName[]> = new Map([
  ['initialize', ['maintenanceUpgrade', 'reboot']],
  ['boot', ['reboot', 'reset', 'upgrade']],
  ['reboot', ['reboot']],
  ['reset', ['reboot']],
])

/** Whether one sequence may end another that runs, and begin in its place. */
export const canTakeOver = (running: SequenceName, next: SequenceName): boolean =>
  TAKE_OVERS.get(running)?.includes(next) ?? false
