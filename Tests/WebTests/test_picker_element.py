"""The element <photo-picker>: a form control, on a page of another origin."""

import pytest
from conftest import until, until_equal
from playwright.sync_api import expect
from test_picker import arm, gallery, pick, status  # noqa: F401

ELEMENT = "document.querySelector('photo-picker')"


@pytest.fixture
def element(browser, gallery):  # noqa: F811
    page = browser.new_page()
    page.goto(gallery)
    until(page, f"{ELEMENT}.matches(':defined')")
    yield page
    page.close()


def test_a_required_picker_keeps_its_form_until_something_is_chosen(element):
    assert element.evaluate(f"{ELEMENT}.closest('form').checkValidity()") is True
    element.evaluate(f"{ELEMENT}.setAttribute('required', '')")
    assert element.evaluate(f"{ELEMENT}.closest('form').checkValidity()") is False
    assert element.evaluate(f"{ELEMENT}.matches(':invalid')") is True


def test_a_fieldset_disables_the_picker(element):
    element.evaluate(f"""() => {{
      const fields = Object.assign(document.createElement('fieldset'), {{ disabled: true }});
      {ELEMENT}.replaceWith(fields);
      fields.append(document.createElement('photo-picker'));
    }}""")
    button = f"{ELEMENT}.shadowRoot.querySelector('button')"
    assert element.evaluate(f"{button}.disabled") is True
    element.evaluate("document.querySelector('fieldset').disabled = false")
    assert element.evaluate(f"{button}.disabled") is False


def test_a_link_opens_the_picker_that_the_browser_has_blocked(site, element):
    element.evaluate("""(library) => {
      document.querySelector('photo-picker').setAttribute('library', library);
      window.reallyOpen = window.open;
      window.open = () => null;
      document.querySelector('photo-picker').addEventListener('error', () => {});
    }""", site.address)
    link = element.locator("photo-picker").get_by_role("link", name="Open the picker")
    element.get_by_text("Choose for the form").click()
    link.wait_for()
    element.evaluate("() => void (window.open = window.reallyOpen)")
    with element.context.expect_page() as opened:
        link.click()
    until(opened.value, f"location.href === {site.address!r} + 'picker'")


def test_the_element_says_that_no_library_has_answered_and_offers_another_try(element):
    # Without the attribute, the browser looks for a library at web+calotype:pick, and has none.
    element.evaluate(f"{ELEMENT}.removeAttribute('library')")
    element.get_by_text("Choose for the form").click()
    problem = element.locator("photo-picker [part=problem]")
    expect(problem).to_have_text("No photo library has answered.")
    link = element.locator("photo-picker").get_by_role("link", name="Open the picker")
    with element.context.expect_page():
        link.click()


@pytest.mark.parametrize("attribute, value, message", [
    ("library", "no address", "library: it has to be an address"),
    ("library", "localhost:2839", "library: it has to be an address"),
    ("filter", "{", "JSON"),
])
def test_the_element_tells_the_page_what_is_wrong_with_its_attributes(element, attribute, value, message):
    element.evaluate(f"""() => {{
      {ELEMENT}.setAttribute({attribute!r}, {value!r});
      {ELEMENT}.addEventListener('error', (event) => (window.told = event.message));
    }}""")
    element.get_by_text("Choose for the form").click()
    assert message in until(element, "window.told")
    expect(element.locator("photo-picker [part=problem]")).to_have_text("The photos can’t be taken over.")


def test_a_page_may_show_what_is_wrong_by_itself(element):
    element.evaluate(f"""() => {{
      {ELEMENT}.setAttribute('library', 'no address');
      {ELEMENT}.addEventListener('error', (event) => (event.preventDefault(), window.told = event.message));
    }}""")
    element.get_by_text("Choose for the form").click()
    assert until(element, "window.told") == "library: it has to be an address"
    expect(element.locator("photo-picker [part=problem]")).to_have_text("")


def test_the_element_has_its_files_until_they_are_removed(site, pick):
    page, picker = pick("Choose for the form")
    until(page, f"{ELEMENT}.matches(':state(picking)')")
    arm(picker)
    for index in range(2):
        picker.locator(".cell").nth(index).click()
    with picker.expect_event("close"):
        picker.click(".add")
    status(page, "The form has 2 files.")
    until(page, f"!{ELEMENT}.matches(':state(picking)')")
    names = f"{ELEMENT}.files.map(({{ name }}) => name)"
    first, second = page.evaluate(names)
    page.evaluate(f"{ELEMENT}.move({ELEMENT}.files[1], 0)")
    until_equal(page, names, [second, first])
    page.evaluate(f"{ELEMENT}.remove({ELEMENT}.files[0])")
    assert page.evaluate(f"new FormData({ELEMENT}.form ?? {ELEMENT}.closest('form')).getAll('photos').map(({{ name }}) => name)") == [first]
    page.evaluate(f"{ELEMENT}.closest('form').reset()")
    until_equal(page, names, [])
