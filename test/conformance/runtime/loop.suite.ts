import { interruptionsContract } from './interruptions-contract.ts'
import { loopContract } from './loop-contract.ts'
import { operatorContract } from './operator-contract.ts'
import { probesContract } from './probes-contract.ts'
import { startReal } from './start-apis.ts'

loopContract('kube-apiserver', startReal)
interruptionsContract('kube-apiserver', startReal)
operatorContract('kube-apiserver', startReal)
probesContract('kube-apiserver', startReal)
