"""Compares the running program with the model of the contract, for random timelines, requests and taps.

`make differential` compares more: LONGPRESS_DIFFERENTIAL is the number of timelines, LONGPRESS_SEED the first seed.
"""

from lockstep_client import ClientLockstep
from lockstep_publishing import PublishingLockstep
from model_values import numbers
from random_cases import VERSIONS

# Each of these must have occurred, or the run has covered too little.
EXPECTED = {
    *(f"tap {outcome}" for outcome in "current equivalent changed replaced retired removed static untagged unknown".split()),
    *(f"origin {origin}" for origin in "same past future unknown".split()),
    *(f"continuity {outcome}" for outcome in "current replaced retired removed".split()),
    *(f"put {status}" for status in (200, 201, 409, 422)), *(f"patch {status}" for status in (200, 409, 422)), "put identical",
    *(f"delete {what}" for what in ("200", "404", "warns")), "restore 200", "restore 409", "draft 200", "draft 409", "diff",
    "default language 200", "default language 409", "release 200", "release 404", "made again", "fetch 200", "fetch 404", "fetch 400",
    "fetch property list", "fetch empty", "fetch fallen back", "fetch hidden", "continuity agrees",
    "fetch personal", "tap personal", "chain", "downgrade", "tap disabled", "tap below", "tap other language",
    *(f"warns {code}" for code in (
        "over-budget title-emoji title-app-name title-invisible text-direction static-twin asset-missing scheme-undeclared id-dropped unknown-id").split()), "warns anew", "warns again",
    *(f"refused {code}" for code in (
        "userinfo-null userinfo-key-reserved userinfo-too-deep userinfo-too-large marker-invalid date-invalid data-invalid "
        "integer-out-of-range real-out-of-range text-invalid required type-mismatch unknown-member duplicate-id id-invalid type-invalid "
        "title-missing title-empty title-too-long subtitle-too-long language-invalid duplicate-language icon-type-unknown url-invalid "
        "url-too-long url-scheme too-many-items replaces-conflict source-invalid placeholder-invalid placeholder-undeclared "
        "placeholder-unused placeholders-differ").split()),
}  # fmt: skip


class Model(PublishingLockstep, ClientLockstep):
    def run(self):
        pick = self.cases.pick
        for _ in range(self.random.randint(0, 3)):
            self.release()
        for version in sorted(self.random.sample(VERSIONS, self.random.randint(0, 7)), key=numbers):
            self.put(version=version)
        others = [
            self.put, self.put, self.put_again, self.delete, self.delete, self.restore, self.restore, self.patch, self.patch, self.draft,
            self.change_app,
        ]  # fmt: skip
        changes = [self.spoilt] * 4 + [pick(others) for _ in range(10)]
        self.random.shuffle(changes)
        for change in changes:
            change()
        for _ in range(2):
            self.release()
        self.delete_release()
        for _ in range(3):
            self.difference()
        self.ask()
        if self.cases.chance(0.2):
            self.make_again()
            self.put()
            self.ask()

    def ask(self):
        for _ in range(25):
            self.fetch()
        for _ in range(5):
            self.continuity()
        for _ in range(60):
            self.tap()


def test_the_program_and_the_contract_agree(server):
    Model.run_all(server, EXPECTED)
