// Run by the mongo image on an empty data folder: the worker's own user, which can use its database and nothing else.
const fs = require("fs");
const password = fs.readFileSync("/run/secrets/mongodb_password", "utf8").trim();
db.getSiblingDB("querymix").createUser({
  user: "querymix",
  pwd: password,
  roles: [{ role: "readWrite", db: "querymix" }],
});
