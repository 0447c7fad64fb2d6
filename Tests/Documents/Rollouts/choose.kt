import java.io.File

fun main(paths: Array<String>) {
    val (rollouts, units) = paths.map { File(it).readText().split("\n") }
    for (rollout in rollouts) {
        val (id, threshold) = rollout.split(" ")
        println(units.joinToString("") { if (getsCandidate(id, threshold.toLong(), it)) "1" else "0" })
    }
}
