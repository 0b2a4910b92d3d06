import { findsOut } from './mutants.cases.ts'
import {
  firstIsSilent,
  letGoAndRuns,
  letGoAndSilent,
  oldView,
  resetByHand,
} from './mutants-bootstrap.ts'
import { creation, lostSecrets } from './mutants-creation.ts'
import {
  endpointElsewhere,
  notMeant,
  ofAnotherCluster,
  replaced,
  wantedByTwo,
} from './mutants-identity.ts'

findsOut('127.80.30', [
  creation,
  lostSecrets,
  firstIsSilent,
  oldView,
  resetByHand,
  letGoAndRuns,
  letGoAndSilent,
  replaced,
  notMeant,
  wantedByTwo,
  ofAnotherCluster,
  endpointElsewhere,
])
