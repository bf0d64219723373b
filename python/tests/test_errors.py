"""Errors of the program are exceptions with code, message and remedy."""

import ampere
import pytest
from ampere.errors import error_of, error_of_status, split_remedy


@pytest.mark.parametrize("status, kind, code", [
    (1, ampere.FailedError, "failed"), (2, ampere.UsageError, "usage"), (3, ampere.UnknownError, "unknown"),
    (4, ampere.PermissionDeniedError, "permission"), (5, ampere.NoMeterError, "no_meter"),
    (130, ampere.InterruptedRunError, "interrupted")])
def test_every_exit_status_has_a_class(status, kind, code):
    error = error_of_status(status, "text")
    assert type(error) is kind
    assert (error.code, error.message, error.remedy) == (code, "text", None)


@pytest.mark.parametrize("text, message, remedy", [
    ("no profile: profile a network first (`ampere profile MODEL`)", "no profile: profile a network first",
     "`ampere profile MODEL`"),
    ("there is no network 'cnn6' in the zoo; did you mean 'cnn5'?", "there is no network 'cnn6' in the zoo",
     "did you mean 'cnn5'?"),
    ("open axes: length (--shape)", "open axes: length", "--shape"),
    ("just wrong (really)", "just wrong (really)", None)])
def test_remedy_is_apart_from_the_message(text, message, remedy):
    assert split_remedy(text) == (message, remedy)


def test_text_of_an_exception_has_both():
    assert str(error_of("unknown", "no store (`ampere profile MODEL`)")) == "no store (`ampere profile MODEL`)"


def test_unknown_code_and_silence_are_still_errors():
    assert error_of("new_code", "text").code == "failed"
    assert "status 3" in error_of_status(3, "").message
    assert isinstance(error_of_status(77, "odd"), ampere.ProgramError)
    assert "signal 11" in error_of_status(-11, "").message
