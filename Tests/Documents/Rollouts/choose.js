const [rollouts, units] = process.argv.slice(2).map((path) => require("node:fs").readFileSync(path, "utf8").split("\n"));
for (const rollout of rollouts) {
  const [id, threshold] = rollout.split(" ");
  console.log(units.map((unit) => Number(getsCandidate(id, Number(threshold), unit))).join(""));
}
